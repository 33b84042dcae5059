// Search structures over the part's triangles: a bounding volume hierarchy for rays, and the triangles of each face.

import { BufferGeometry, DoubleSide, Ray, Vector3 } from "three";
import { MeshBVH } from "three-mesh-bvh";
import type { PartGeometry } from "./glb";

export interface Crossing {
  /** Meters from the ray's origin. */
  distance: number;
  face: number;
  point: Vector3;
}

export class PartIndex {
  readonly bvh: MeshBVH;
  /** Triangles ordered by face; those of face `f` are `order[start[f]]` to `order[start[f + 1] - 1]`. */
  private readonly order: Uint32Array;
  private readonly start: Uint32Array;

  constructor(readonly part: PartGeometry, geometry: BufferGeometry, faceCount: number) {
    // The hierarchy reorders the geometry's triangles, so that it has to come first.
    this.bvh = new MeshBVH(geometry);
    geometry.boundsTree = this.bvh;
    const count = part.triangles.length / 3;
    this.start = new Uint32Array(faceCount + 1);
    for (let k = 0; k < count; k++) this.start[this.faceOf(k) + 1]! += 1;
    for (let f = 0; f < faceCount; f++) this.start[f + 1]! += this.start[f]!;
    const next = this.start.slice();
    this.order = new Uint32Array(count);
    for (let k = 0; k < count; k++) this.order[next[this.faceOf(k)]!++] = k;
  }

  /** Face of a triangle. */
  faceOf(triangle: number): number {
    return Math.round(this.part.faces[this.part.triangles[triangle * 3]!]!);
  }

  trianglesOf(face: number): Uint32Array {
    return this.order.subarray(this.start[face] ?? 0, this.start[face + 1] ?? 0);
  }

  corner(triangle: number, k: number, into = new Vector3()): Vector3 {
    return into.fromArray(this.part.positions, this.part.triangles[triangle * 3 + k]! * 3);
  }

  normal(vertex: number): Vector3 {
    return new Vector3().fromArray(this.part.normals, vertex * 3);
  }

  /** Normal at the vertex of a face that is nearest to a point. */
  normalNear(face: number, at: Vector3): Vector3 {
    let [best, least] = [0, Infinity];
    for (const vertex of this.verticesOf(face)) {
      const far = new Vector3().fromArray(this.part.positions, vertex * 3).distanceToSquared(at);
      if (far < least) [best, least] = [vertex, far];
    }
    return this.normal(best);
  }

  /** The first surface that a ray meets; surfaces of hidden faces are passed. */
  first(origin: Vector3, direction: Vector3, hidden: ReadonlySet<number>): Crossing | null {
    const ray = new Ray(origin, direction);
    if (hidden.size === 0) {
      const hit = this.bvh.raycastFirst(ray, DoubleSide);
      return hit ? { distance: hit.distance, face: this.faceOf(hit.faceIndex!), point: hit.point } : null;
    }
    const hits = this.bvh.raycast(ray, DoubleSide).filter((hit) => !hidden.has(this.faceOf(hit.faceIndex!)));
    const nearest = hits.reduce<(typeof hits)[number] | null>((best, hit) => (best && best.distance <= hit.distance ? best : hit), null);
    return nearest ? { distance: nearest.distance, face: this.faceOf(nearest.faceIndex!), point: nearest.point } : null;
  }

  /** Vertices of a face, each once. */
  verticesOf(face: number): number[] {
    const seen = new Set<number>();
    for (const triangle of this.trianglesOf(face)) for (let k = 0; k < 3; k++) seen.add(this.part.triangles[triangle * 3 + k]!);
    return [...seen];
  }

  /** Segments along the borders of faces, 2 points each: edges that only one triangle of a face has. */
  borders(faces: readonly number[]): Float32Array {
    const out: number[] = [];
    const { triangles, positions } = this.part;
    for (const face of faces) {
      const once = new Map<string, [number, number]>();
      for (const triangle of this.trianglesOf(face)) {
        for (let k = 0; k < 3; k++) {
          const [a, b] = [triangles[triangle * 3 + k]!, triangles[triangle * 3 + ((k + 1) % 3)]!];
          const key = a < b ? `${a} ${b}` : `${b} ${a}`;
          if (!once.delete(key)) once.set(key, [a, b]);
        }
      }
      for (const [a, b] of once.values()) out.push(...positions.subarray(a * 3, a * 3 + 3), ...positions.subarray(b * 3, b * 3 + 3));
    }
    return new Float32Array(out);
  }
}
