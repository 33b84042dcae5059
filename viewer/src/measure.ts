// The measuring tool: a first click gives the radius of a round face; a second one the distance of the two points, and of
// the two faces where they are parallel planes or cylinders, or the angle between planes.

import { Vector3 } from "three";
import type { Dimension } from "./dimension";
import { shapeOf, type FaceShape } from "./face-shape";
import type { PartIndex } from "./part-index";
import { quantity } from "./result";
import type { Hit } from "./scene";

/** Sine of the angle up to which directions are parallel. */
const PARALLEL = 1e-3;

export class Measuring {
  private first: Hit | null = null;

  constructor(private readonly index: PartIndex) {}

  /** What is known after one more click. */
  take(hit: Hit): Dimension[] {
    const at = meters(hit);
    if (!this.first) {
      this.first = hit;
      const shape = shapeOf(this.index, hit.face);
      const text = shape?.kind === "cylinder" ? `R ${mm(shape.radius)} · ⌀ ${mm(shape.radius * 2)}` : "from here";
      return [{ from: at, to: at, text }];
    }
    const from = meters(this.first);
    const faces = between(shapeOf(this.index, this.first.face), shapeOf(this.index, hit.face));
    this.first = null;
    const step = at.clone().sub(from);
    const parts = [step.x, step.y, step.z].map((part) => mm(Math.abs(part)).replace(" mm", "")).join(" · ");
    return [{ from, to: at, text: `${mm(from.distanceTo(at))} (x y z: ${parts})${faces ? `; ${faces}` : ""}` }];
  }
}

/** Distance or angle of two faces in words; empty where they have none. */
function between(one: FaceShape | null, other: FaceShape | null): string {
  if (one?.kind === "plane" && other?.kind === "plane") {
    if (one.normal.clone().cross(other.normal).length() > PARALLEL) {
      const angle = (Math.acos(Math.min(1, Math.max(-1, -one.normal.dot(other.normal)))) * 180) / Math.PI;
      return `faces at ${quantity(angle, "deg")}`;
    }
    return `faces ${mm(Math.abs(other.point.clone().sub(one.point).dot(one.normal)))} apart`;
  }
  if (one?.kind === "cylinder" && other?.kind === "cylinder" && one.axis.clone().cross(other.axis).length() <= PARALLEL) {
    return `axes ${mm(one.center.distanceTo(other.center))} apart`;
  }
  if (one && other && one.kind !== other.kind) {
    const [plane, round] = one.kind === "plane" ? [one, other] : [other, one];
    if (plane.kind === "plane" && round.kind === "cylinder" && Math.abs(plane.normal.dot(round.axis)) <= PARALLEL) {
      return `axis ${mm(Math.abs(round.center.clone().sub(plane.point).dot(plane.normal)))} from the face`;
    }
  }
  return "";
}

function meters({ point }: Hit): Vector3 {
  return new Vector3(...point).divideScalar(1000);
}

function mm(length: number): string {
  return quantity(length * 1000, "mm");
}
