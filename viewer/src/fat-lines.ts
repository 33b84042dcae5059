// Lines of a width in pixels: borders of marked faces, dimensions, what is measured.

import { Group, type Plane, type Vector2 } from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";

interface Style {
  color: number;
  /** CSS pixels. */
  width: number;
  /** Drawn over what stands before it. */
  through?: boolean;
  opacity?: number;
  clippingPlanes?: Plane[];
}

export class FatLines {
  readonly group = new Group();
  private readonly material: LineMaterial;

  constructor({ color, width, through = false, opacity = 1, clippingPlanes = [] }: Style) {
    this.material = new LineMaterial({
      color, linewidth: width, depthTest: !through, depthWrite: false, transparent: opacity < 1 || through, opacity, clippingPlanes,
      clipping: true, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2,
    });
    this.group.renderOrder = 3;
  }

  /** `segments`: 2 points of 3 coordinates each, meters. */
  show(segments: ArrayLike<number>): void {
    this.clear();
    if (segments.length === 0) return;
    const geometry = new LineSegmentsGeometry().setPositions(segments instanceof Float32Array ? segments : Float32Array.from(segments));
    const lines = new LineSegments2(geometry, this.material);
    lines.renderOrder = 3;
    this.group.add(lines);
  }

  clear(): void {
    for (const lines of this.group.children) (lines as LineSegments2).geometry.dispose();
    this.group.clear();
  }

  resize(size: Vector2): void {
    this.material.resolution.copy(size);
  }
}
