// The part's edges as lines. Edges of hidden faces are left out: an edge belongs to the faces that have both its ends.

import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, type Plane } from "three";
import type { PartGeometry } from "./glb";

export class PartEdges {
  readonly lines: LineSegments;
  /** Faces of each segment; found when something is hidden for the first time. */
  private faces: (readonly number[])[] | null = null;

  constructor(private readonly part: PartGeometry, clippingPlanes: Plane[]) {
    this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: 0x1f2933, clippingPlanes }));
    this.set(part.edgePositions);
  }

  get bytes(): number {
    return this.part.edgePositions.byteLength;
  }

  hide(hidden: ReadonlySet<number>): void {
    const all = this.part.edgePositions;
    if (hidden.size === 0) {
      this.set(all);
      return;
    }
    this.faces ??= facesOfSegments(this.part);
    const kept: number[] = [];
    this.faces.forEach((faces, k) => {
      if (faces.length === 0 || faces.some((face) => !hidden.has(face))) kept.push(...all.subarray(k * 6, k * 6 + 6));
    });
    this.set(new Float32Array(kept));
  }

  private set(positions: Float32Array): void {
    this.lines.geometry.dispose();
    this.lines.geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(positions, 3));
  }
}

function facesOfSegments({ positions, faces, edgePositions }: PartGeometry): number[][] {
  const at = (values: Float32Array, k: number): string => `${values[k]} ${values[k + 1]} ${values[k + 2]}`;
  const facesAt = new Map<string, Set<number>>();
  faces.forEach((face, row) => {
    const key = at(positions, row * 3);
    const known = facesAt.get(key);
    if (known) known.add(Math.round(face));
    else facesAt.set(key, new Set([Math.round(face)]));
  });
  const none: ReadonlySet<number> = new Set();
  return Array.from({ length: edgePositions.length / 6 }, (_, k) => {
    const ends = [facesAt.get(at(edgePositions, k * 6)) ?? none, facesAt.get(at(edgePositions, k * 6 + 3)) ?? none] as const;
    return [...ends[0]].filter((face) => ends[1].has(face));
  });
}
