// Reads the GLB files that Fettle writes: one triangle primitive, optionally one line primitive. In a report the GLBs of
// measured fields contain only the values.

export interface PartGeometry {
  /** Coordinates of the points, 3 each, in meters, in the part's axes. */
  positions: Float32Array;
  normals: Float32Array;
  /** Face number of every point, from 0. */
  faces: Float32Array;
  triangles: Uint32Array;
  /** Line segments of the part's edges, 2 points each; empty if the file has none. */
  edgePositions: Float32Array;
  /** Whether the triangles enclose bodies, so that back faces are never visible from outside. */
  closed: boolean;
}

/** A scalar measured at every point. */
export interface FieldValues {
  values: Float32Array;
  /** Value of points without a reading; below all readings. */
  noReading: number;
  /** Range of the color scale. */
  range: [number, number];
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
  material?: number;
  mode?: number;
}

interface Document {
  asset: { extras?: Record<string, unknown> };
  accessors: Accessor[];
  bufferViews: { byteOffset?: number; byteStride?: number }[];
  materials?: { doubleSided?: boolean }[];
  meshes: { primitives: Primitive[] }[];
}

const MAGIC = 0x46546c67;
const WIDTH = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 } as const;
const BYTES: Record<number, number> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const TRIANGLES = 4;
const LINES = 1;

/** Parses the geometry of the part. */
export function parsePart(data: ArrayBuffer): PartGeometry {
  const { body, lines, closed, read } = openGlb(data);
  const { POSITION, NORMAL, _FEATURE_ID_0 } = body.attributes;
  if (POSITION === undefined || NORMAL === undefined || _FEATURE_ID_0 === undefined || body.indices === undefined) {
    throw new Error("the GLB lacks indices, POSITION, NORMAL or _FEATURE_ID_0");
  }
  const edges = lines?.attributes["POSITION"];
  return {
    positions: read(POSITION),
    normals: read(NORMAL),
    faces: read(_FEATURE_ID_0),
    triangles: Uint32Array.from(read(body.indices)),
    edgePositions: edges === undefined ? new Float32Array() : unroll(read(edges), lines?.indices, read),
    closed,
  };
}

/** Parses one field, for example `_THICKNESS`. */
export function parseField(data: ArrayBuffer, name: string): FieldValues {
  const { body, read, extras } = openGlb(data);
  const index = body.attributes[name];
  const said = extras["field"] as { no_reading: number; range: [number, number] } | undefined;
  if (index === undefined || !said) throw new Error(`the GLB carries no ${name}`);
  return { values: read(index), noReading: said.no_reading, range: said.range };
}

interface OpenGlb {
  body: Primitive;
  lines: Primitive | undefined;
  closed: boolean;
  extras: Record<string, unknown>;
  read: (accessor: number) => Float32Array;
}

function openGlb(data: ArrayBuffer): OpenGlb {
  const view = new DataView(data);
  if (data.byteLength < 28 || view.getUint32(0, true) !== MAGIC) throw new Error("not a GLB file");
  const jsonLength = view.getUint32(12, true);
  const gltf = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 20, jsonLength))) as Document;
  const primitives = gltf.meshes.flatMap((mesh) => mesh.primitives);
  const body = primitives.find((primitive) => (primitive.mode ?? TRIANGLES) === TRIANGLES);
  if (!body) throw new Error("the GLB has no triangles");
  return {
    body,
    lines: primitives.find((primitive) => primitive.mode === LINES),
    closed: !gltf.materials?.[body.material ?? -1]?.doubleSided,
    extras: gltf.asset.extras ?? {},
    read: (index) => readAccessor(gltf, view, 20 + jsonLength + 8, index),
  };
}

/** `binary`: offset of the binary chunk in bytes. */
function readAccessor(gltf: Document, view: DataView, binary: number, index: number): Float32Array {
  const accessor = gltf.accessors[index];
  const bufferView = accessor && gltf.bufferViews[accessor.bufferView];
  if (!accessor || !bufferView) throw new Error(`GLB accessor ${index} is missing`);
  const width = WIDTH[accessor.type];
  const size = BYTES[accessor.componentType] ?? 4;
  const start = binary + (bufferView.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
  const stride = bufferView.byteStride ?? width * size;
  if (accessor.componentType === 5126 && stride === width * 4) {
    return new Float32Array(view.buffer as ArrayBuffer, start, accessor.count * width);
  }
  const out = new Float32Array(accessor.count * width);
  for (let row = 0; row < accessor.count; row++) {
    for (let column = 0; column < width; column++) {
      out[row * width + column] = component(view, start + row * stride + column * size, accessor.componentType);
    }
  }
  return out;
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

/** Line segments as pairs of points without an index. */
function unroll(points: Float32Array, indices: number | undefined, read: (index: number) => Float32Array): Float32Array {
  if (indices === undefined) return points;
  const order = read(indices);
  const out = new Float32Array(order.length * 3);
  order.forEach((row, k) => out.set(points.subarray(row * 3, row * 3 + 3), k * 3));
  return out;
}
