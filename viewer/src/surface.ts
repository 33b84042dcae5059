// The part's surface: one mesh with one material, so one draw call. The shader takes the color of a point from three
// small textures (color scale, color of each face, highlight of each face), so that switching the mode, dragging the
// legend or highlighting faces changes a uniform or a few texels, never a vertex buffer.

import {
  BufferAttribute, BufferGeometry, DataTexture, DoubleSide, FrontSide, GLSL3, LinearFilter, NearestFilter, RGBAFormat, RedFormat,
  ShaderMaterial, type Plane,
} from "three";
import type { PartGeometry } from "./glb";
import { rampTexels, type Ramp } from "./ramps";

export type Paint = "plain" | "faces" | "field";

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
  vNormal = normalMatrix * normal;
  vValue = value;
  vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * mvPosition;
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
uniform vec2 range;
uniform float noReading;
uniform sampler2D ramp;
uniform bool dimUnmarked;
out vec4 color;
#include <clipping_planes_pars_fragment>
void main() {
  #include <clipping_planes_fragment>
  vec3 base = plainColor;
  if (paint == 1) base = vFaceColor;
  if (paint == 2) {
    float t = clamp((vValue - range.x) / max(range.y - range.x, 1e-9), 0.0, 1.0);
    base = vValue <= noReading + 0.5 ? noReadingColor : texture(ramp, vec2(t, 0.5)).rgb;
  }
  vec3 n = normalize(gl_FrontFacing ? vNormal : -vNormal);
  // Key light from the upper left, sky light, and a headlight, so that no side of the part is dark.
  float key = max(dot(n, normalize(vec3(-0.45, 0.65, 0.62))), 0.0);
  float light = 0.5 + 0.14 * (0.5 + 0.5 * n.y) + 0.28 * key + 0.16 * max(n.z, 0.0);
  vec3 lit = base * light;
  if (vMark > 0.5) lit = mix(lit, markColor * (0.35 + 0.7 * light), 0.85);
  else if (dimUnmarked) lit = mix(lit, vec3(dot(lit, vec3(0.3, 0.59, 0.11))), 0.55) * 0.92 + 0.04;
  color = vec4(lit, 1.0);
}`;

const PAINTS: Record<Paint, number> = { plain: 0, faces: 1, field: 2 };

export class PartSurface {
  readonly geometry = new BufferGeometry();
  readonly material: ShaderMaterial;
  readonly faceCount: number;
  private readonly width: number;
  private readonly colors: DataTexture;
  private readonly marks: DataTexture;
  private readonly ramp: DataTexture;
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
    this.ramp = texture(new Uint8Array(256 * 4), 256, 1, RGBAFormat);
    this.ramp.minFilter = this.ramp.magFilter = LinearFilter;

    this.material = new ShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
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
        markColor: { value: [0.95, 0.33, 0.15] },
        range: { value: [0, 1] },
        noReading: { value: -1 },
        ramp: { value: this.ramp },
        dimUnmarked: { value: false },
      },
    });
  }

  /** Back faces are visible in a section and on open surfaces; not drawing them otherwise saves a third of a frame. */
  showBacks(visible: boolean): void {
    this.material.side = visible ? DoubleSide : FrontSide;
  }

  show(paint: Paint): void {
    this.material.uniforms["paint"]!.value = PAINTS[paint];
  }

  /** `values`: one number a point. Each field is uploaded to the GPU once and kept there. */
  setField(values: Float32Array, noReading: number, ramp: Ramp): void {
    this.setValues(values);
    this.material.uniforms["noReading"]!.value = noReading;
    this.ramp.image.data!.set(rampTexels(ramp));
    this.ramp.needsUpdate = true;
  }

  setRange(low: number, high: number): void {
    this.material.uniforms["range"]!.value = [low, high];
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
    const texels = this.marks.image.data!;
    texels.fill(0);
    for (const face of faces) if (face >= 0 && face < this.faceCount) texels[face] = 255;
    this.marks.needsUpdate = true;
    this.material.uniforms["dimUnmarked"]!.value = faces.length > 0;
  }

  /** Bytes of this part's buffers and textures on the GPU. */
  get bytes(): number {
    const { position, normal, face } = this.geometry.attributes;
    const buffers = [position!, normal!, face!, this.geometry.index!, ...this.fields.values()].map(({ array }) => array.byteLength);
    const textures = [this.colors, this.marks, this.ramp].map((map) => map.image.data!.byteLength);
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
