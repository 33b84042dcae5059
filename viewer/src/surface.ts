// The part's surface: one mesh with one material, so one draw call. The shader takes the color of a point from two
// small textures (color of each face, highlight of each face) or from the steps of a scale, so that switching the mode,
// moving the limit or highlighting faces changes a uniform or a few texels, never a vertex buffer.

import {
  BufferAttribute, BufferGeometry, DataTexture, DoubleSide, FrontSide, GLSL3, NearestFilter, RGBAFormat, RedFormat,
  ShaderMaterial, type Plane,
} from "three";
import type { PartGeometry } from "./glb";
import type { Steps } from "./steps";

/** Magenta: in none of the color scales, and far from the orange of the pull arrow. */
export const MARK_COLOR = [0.86, 0.06, 0.62] as const;

export type Paint = "plain" | "faces" | "field";

/** Borders between the steps of a color scale. */
const EDGES = 5;

const VERTEX = /* glsl */ `
in float face;
in float value;
uniform sampler2D faceColors;
uniform sampler2D faceMarks;
uniform int faceTextureWidth;
out vec3 vNormal;
out float vValue;
flat out vec3 vFaceColor;
flat out float vMark;
#include <clipping_planes_pars_vertex>
void main() {
  int id = int(face + 0.5);
  ivec2 texel = ivec2(id % faceTextureWidth, id / faceTextureWidth);
  vFaceColor = texelFetch(faceColors, texel, 0).rgb;
  vMark = texelFetch(faceMarks, texel, 0).r;
  // A hidden face lies outside the view as a whole: its triangles share no point with other faces.
  bool hiddenFace = vMark > 0.2 && vMark < 0.8;
  vNormal = normalMatrix * normal;
  vValue = value;
  vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
  gl_Position = hiddenFace ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * mvPosition;
  #include <clipping_planes_vertex>
}`;

const FRAGMENT = /* glsl */ `
precision highp float;
in vec3 vNormal;
in float vValue;
flat in vec3 vFaceColor;
flat in float vMark;
uniform int paint;
uniform vec3 plainColor;
uniform vec3 noReadingColor;
uniform vec3 markColor;
uniform float edges[EDGES];
uniform vec3 stepColors[EDGES + 1];
uniform float noReading;
uniform bool dimUnmarked;
uniform float glass;
out vec4 color;
#include <clipping_planes_pars_fragment>
void main() {
  #include <clipping_planes_fragment>
  vec3 base = plainColor;
  if (paint == 1) base = vFaceColor;
  if (paint == 2) {
    base = stepColors[0];
    for (int k = 0; k < EDGES; k++) if (vValue >= edges[k]) base = stepColors[k + 1];
    if (vValue <= noReading + 0.5) base = noReadingColor;
  }
  vec3 n = normalize(gl_FrontFacing ? vNormal : -vNormal);
  // Key light from the upper left, sky light, and a headlight, so that no side of the part is dark.
  float key = max(dot(n, normalize(vec3(-0.45, 0.65, 0.62))), 0.0);
  float light = 0.5 + 0.14 * (0.5 + 0.5 * n.y) + 0.28 * key + 0.16 * max(n.z, 0.0);
  vec3 lit = base * light;
    if (vMark > 0.8) lit = mix(lit, markColor * (0.35 + 0.7 * light), 0.9);
  else if (dimUnmarked) lit = mix(lit, vec3(dot(lit, vec3(0.3, 0.59, 0.11))), 0.55) * 0.92 + 0.04;
  color = vec4(lit, vMark > 0.8 ? 1.0 : 1.0 - 0.62 * glass);
}`;

// White where a marked face is visible: the back of a closed part's surface is the inside of its material.
const MARKS_ONLY = /* glsl */ `
precision highp float;
flat in float vMark;
uniform bool backsCount;
out vec4 color;
#include <clipping_planes_pars_fragment>
void main() {
  #include <clipping_planes_fragment>
  color = vec4(vec3(vMark > 0.8 && (gl_FrontFacing || backsCount) ? 1.0 : 0.0), 1.0);
}`;

const NOTHING = /* glsl */ `
precision lowp float;
out vec4 color;
#include <clipping_planes_pars_fragment>
void main() {
  #include <clipping_planes_fragment>
  color = vec4(1.0);
}`;

/** Values in the texture of marks. */
const MARKED = 255;
const HIDDEN = 128;

const PAINTS: Record<Paint, number> = { plain: 0, faces: 1, field: 2 };

export class PartSurface {
  readonly geometry = new BufferGeometry();
  readonly material: ShaderMaterial;
  readonly faceCount: number;
  /** Draws marked faces white and all others black. */
  readonly marksOnly: ShaderMaterial;
  private readonly width: number;
  private hidden: ReadonlySet<number> = new Set();
  private marked: readonly number[] = [];
  private readonly colors: DataTexture;
  private readonly marks: DataTexture;
  private readonly fields = new Map<Float32Array, BufferAttribute>();

  constructor(part: PartGeometry, planes: Plane[]) {
    this.geometry.setAttribute("position", new BufferAttribute(part.positions, 3));
    this.geometry.setAttribute("normal", new BufferAttribute(part.normals, 3));
    this.geometry.setAttribute("face", new BufferAttribute(part.faces, 1));
    this.setValues(new Float32Array(part.faces.length));
    this.geometry.setIndex(new BufferAttribute(part.triangles, 1));
    this.geometry.computeBoundingSphere();

    this.faceCount = part.faces.reduce((most, face) => Math.max(most, face), -1) + 1;
    this.width = Math.min(1024, Math.max(1, this.faceCount));
    const height = Math.max(1, Math.ceil(this.faceCount / this.width));
    this.colors = texture(new Uint8Array(this.width * height * 4).fill(200), this.width, height, RGBAFormat);
    this.marks = texture(new Uint8Array(this.width * height), this.width, height, RedFormat);

    this.material = new ShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      defines: { EDGES },
      clipping: true,
      clippingPlanes: planes,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
      uniforms: {
        faceColors: { value: this.colors },
        faceMarks: { value: this.marks },
        faceTextureWidth: { value: this.width },
        paint: { value: 0 },
        plainColor: { value: [0.78, 0.8, 0.83] },
        noReadingColor: { value: [0.6, 0.62, 0.65] },
        markColor: { value: MARK_COLOR },
        edges: { value: new Float32Array(EDGES) },
        stepColors: { value: new Float32Array(3 * (EDGES + 1)) },
        noReading: { value: -1 },
        dimUnmarked: { value: false },
        glass: { value: 0 },
        backsCount: { value: !part.closed },
      },
    });
    this.marksOnly = this.sharing(MARKS_ONLY);
    this.marksOnly.side = DoubleSide;
  }

  /** A material that places and hides the same surface and draws nothing but its shape. */
  shapeMaterial(): ShaderMaterial {
    return this.sharing(NOTHING);
  }

  private sharing(fragmentShader: string): ShaderMaterial {
    const { uniforms, clippingPlanes } = this.material;
    return new ShaderMaterial({ glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader, clipping: true, clippingPlanes, uniforms });
  }

  /** Transparent (1) or opaque (0). */
  setGlass(glass: boolean): void {
    this.material.uniforms["glass"]!.value = glass ? 1 : 0;
    this.material.transparent = glass;
    this.material.depthWrite = !glass;
    this.material.needsUpdate = true;
  }

  /** Back faces are visible in a section and on open surfaces; not drawing them otherwise saves a third of a frame. */
  showBacks(visible: boolean): void {
    this.material.side = visible ? DoubleSide : FrontSide;
  }

  show(paint: Paint): void {
    this.material.uniforms["paint"]!.value = PAINTS[paint];
  }

  /** `values`: one number a point. Each field is uploaded to the GPU once and kept there. */
  setField(values: Float32Array, noReading: number, steps: Steps): void {
    this.setValues(values);
    this.material.uniforms["noReading"]!.value = noReading;
    this.material.uniforms["edges"]!.value = Float32Array.from(steps.edges);
    this.material.uniforms["stepColors"]!.value = Float32Array.from(steps.colors.flat());
  }

  /** `colors`: CSS hex color of each face. */
  setFaceColors(colors: readonly string[]): void {
    const texels = this.colors.image.data!;
    colors.forEach((hex, face) => {
      const value = Number.parseInt(hex.slice(1), 16);
      texels.set([value >> 16, (value >> 8) & 255, value & 255, 255], face * 4);
    });
    this.colors.needsUpdate = true;
  }

  mark(faces: readonly number[]): void {
    this.marked = faces;
    this.material.uniforms["dimUnmarked"]!.value = faces.length > 0;
    this.writeMarks();
  }

  hide(faces: ReadonlySet<number>): void {
    this.hidden = faces;
    this.writeMarks();
  }

  private writeMarks(): void {
    const texels = this.marks.image.data!;
    texels.fill(0);
    for (const face of this.marked) if (face >= 0 && face < this.faceCount) texels[face] = MARKED;
    for (const face of this.hidden) texels[face] = HIDDEN;
    this.marks.needsUpdate = true;
  }

  /** Bytes of this part's buffers and textures on the GPU. */
  get bytes(): number {
    const { position, normal, face } = this.geometry.attributes;
    const buffers = [position!, normal!, face!, this.geometry.index!, ...this.fields.values()].map(({ array }) => array.byteLength);
    const textures = [this.colors, this.marks].map((map) => map.image.data!.byteLength);
    return [...buffers, ...textures].reduce((sum, size) => sum + size, 0);
  }

  private setValues(values: Float32Array): void {
    const attribute = this.fields.get(values) ?? new BufferAttribute(values, 1);
    this.fields.set(values, attribute);
    this.geometry.setAttribute("value", attribute);
  }
}

function texture(
  data: Uint8Array, width: number, height: number, format: typeof RGBAFormat | typeof RedFormat,
): DataTexture {
  const map = new DataTexture(data as Uint8Array<ArrayBuffer>, width, height, format);
  map.minFilter = map.magFilter = NearestFilter;
  map.unpackAlignment = 1;
  map.needsUpdate = true;
  return map;
}
