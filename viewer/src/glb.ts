// Reads the GLBs that Fettle itself writes: one triangle primitive, optionally one line primitive, tight accessors.

export interface PartGeometry {
  /** 3 numbers a point, metres, in the part's own axes. */
  positions: Float32Array;
  normals: Float32Array;
  /** Face number of every point, from 0. */
  faces: Float32Array;
  triangles: Uint32Array;
  /** Pairs of points of the part's edges; empty where the file has none. */
  edgePositions: Float32Array;
  /** Named scalars of every point, for example `_THICKNESS`. */
  fields: Map<string, Float32Array>;
  extras: Record<string, unknown>;
}

interface Accessor {
  bufferView: number;
  byteOffset?: number;
  componentType: number;
  count: number;
  type: "SCALAR" | "VEC2" | "VEC3" | "VEC4";
}

interface Primitive {
  attributes: Record<string, number>;
  indices?: number;
  mode?: number;
}

interface Document {
  asset: { extras?: Record<string, unknown> };
  accessors: Accessor[];
  bufferViews: { byteOffset?: number; byteStride?: number }[];
  meshes: { primitives: Primitive[] }[];
}

const MAGIC = 0x46546c67;
const WIDTH = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 } as const;
const BYTES: Record<number, number> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const TRIANGLES = 4;
const LINES = 1;

export function parseGlb(data: ArrayBuffer): PartGeometry {
  const view = new DataView(data);
  if (data.byteLength < 28 || view.getUint32(0, true) !== MAGIC) throw new Error("not a GLB file");
  const jsonLength = view.getUint32(12, true);
  const json = new TextDecoder().decode(new Uint8Array(data, 20, jsonLength));
  const gltf = JSON.parse(json) as Document;
  const binary = 20 + jsonLength + 8;

  const read = (index: number): Float32Array => {
    const accessor = gltf.accessors[index];
    const bufferView = accessor && gltf.bufferViews[accessor.bufferView];
    if (!accessor || !bufferView) throw new Error(`GLB accessor ${index} is missing`);
    const width = WIDTH[accessor.type];
    const size = BYTES[accessor.componentType] ?? 4;
    const start = binary + (bufferView.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    const stride = bufferView.byteStride ?? width * size;
    if (accessor.componentType === 5126 && stride === width * 4) {
      return new Float32Array(data, start, accessor.count * width);
    }
    const out = new Float32Array(accessor.count * width);
    for (let row = 0; row < accessor.count; row++) {
      for (let column = 0; column < width; column++) {
        out[row * width + column] = component(view, start + row * stride + column * size, accessor.componentType);
      }
    }
    return out;
  };

  const primitives = gltf.meshes.flatMap((mesh) => mesh.primitives);
  const body = primitives.find((primitive) => (primitive.mode ?? TRIANGLES) === TRIANGLES);
  const lines = primitives.find((primitive) => primitive.mode === LINES);
  if (!body || body.indices === undefined) throw new Error("the GLB has no indexed triangles");

  const attribute = (name: string): Float32Array | null => {
    const index = body.attributes[name];
    return index === undefined ? null : read(index);
  };
  const positions = attribute("POSITION");
  const normals = attribute("NORMAL");
  const faces = attribute("_FEATURE_ID_0");
  if (!positions || !normals || !faces) throw new Error("the GLB lacks POSITION, NORMAL or _FEATURE_ID_0");

  const fields = new Map<string, Float32Array>();
  for (const name of Object.keys(body.attributes)) {
    if (name.startsWith("_") && !name.startsWith("_FEATURE_ID_")) fields.set(name, attribute(name)!);
  }
  return {
    positions,
    normals,
    faces,
    triangles: Uint32Array.from(read(body.indices)),
    edgePositions: lines ? unroll(read(lines.attributes["POSITION"]!), lines.indices, read) : new Float32Array(),
    fields,
    extras: gltf.asset.extras ?? {},
  };
}

function component(view: DataView, at: number, type: number): number {
  switch (type) {
    case 5120: return view.getInt8(at);
    case 5121: return view.getUint8(at);
    case 5122: return view.getInt16(at, true);
    case 5123: return view.getUint16(at, true);
    case 5125: return view.getUint32(at, true);
    default: return view.getFloat32(at, true);
  }
}

/** Line segments as plain pairs of points. */
function unroll(points: Float32Array, indices: number | undefined, read: (index: number) => Float32Array): Float32Array {
  if (indices === undefined) return points;
  const order = read(indices);
  const out = new Float32Array(order.length * 3);
  order.forEach((row, k) => out.set(points.subarray(row * 3, row * 3 + 3), k * 3));
  return out;
}
