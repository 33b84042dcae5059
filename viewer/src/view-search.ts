// The pose of the camera from which marked faces are seen large enough. Sight is found with rays; then the marked pixels
// are counted in a small picture, and the camera goes nearer until there are enough of them.

import { type Box2, Vector2, Vector3, Box2 as Box } from "three";
import type { PartCamera, Pose } from "./camera";
import type { PartIndex } from "./part-index";
import type { Sample, Sight } from "./visibility";

/** Marked pixels that a finding should have on the screen; some may lie behind controls of the page. */
const ENOUGH_PIXELS = 2500;
/** Fraction of the view that the faces fill at most. */
const FILLED = 0.6;
/** A single finding keeps at least this fraction of the part in view, unless it were too small to see. */
const CONTEXT = 1 / 8;
const NEARER = 1.6;
const MOST_ZOOM = 400;

/** The pose for `sight`, and how many marked pixels it shows. `count` counts them for a pose. */
export function findPose(
  index: PartIndex, faces: readonly number[], sight: Sight, worst: Vector3 | null, camera: PartCamera, count: (pose: Pose) => number,
): { pose: Pose; pixels: number } {
  let best = { pose: camera.pose, pixels: -1 };
  for (const direction of tilts(sight)) {
    const framed = frame(index, faces, direction, camera);
    const found = approach({ ...framed, direction }, sight.visible, worst, count);
    if (found.pixels > best.pixels) best = found;
    if (best.pixels >= ENOUGH_PIXELS) break;
  }
  return best;
}

/** A section is first looked at from the side a little, which shows depth. */
function tilts({ direction, section }: Sight): Vector3[] {
  if (!section) return [direction];
  const side = new Vector3(0.25, -0.3, 0.35).setComponent(section.axis, 0);
  return [direction.clone().add(side).normalize(), direction];
}

/** The middle of the faces and the zoom at which they fill the view. */
function frame(index: PartIndex, faces: readonly number[], direction: Vector3, camera: PartCamera): { target: Vector3; zoom: number } {
  const [right, up] = screenAxes(direction);
  const box: Box2 = new Box();
  const at = new Vector3();
  let [near, far] = [Infinity, -Infinity];
  for (const face of faces) {
    for (const vertex of index.verticesOf(face)) {
      at.fromArray(index.part.positions, vertex * 3);
      box.expandByPoint(new Vector2(at.dot(right), at.dot(up)));
      near = Math.min(near, at.dot(direction));
      far = Math.max(far, at.dot(direction));
    }
  }
  const middle = box.getCenter(new Vector2());
  const size = box.getSize(new Vector2());
  const [halfWidth, halfHeight] = camera.halves;
  const fitting = FILLED * Math.min((2 * halfWidth) / Math.max(size.x, 1e-9), (2 * halfHeight) / Math.max(size.y, 1e-9));
  const target = right.multiplyScalar(middle.x).addScaledVector(up, middle.y).addScaledVector(direction, (near + far) / 2);
  return { target, zoom: Math.min(1 / CONTEXT, Math.max(1, fitting)) };
}

/** Goes nearer to the visible place next to the worst one until enough is seen. */
function approach(start: Pose, visible: readonly Sample[], worst: Vector3 | null, count: (pose: Pose) => number): { pose: Pose; pixels: number } {
  const goal = nearest(visible, worst ?? start.target);
  let best = { pose: start, pixels: count(start) };
  let pose = start;
  while (best.pixels < ENOUGH_PIXELS && pose.zoom < MOST_ZOOM && goal) {
    pose = { ...pose, target: pose.target.clone().lerp(goal, 0.75), zoom: pose.zoom * NEARER };
    const pixels = count(pose);
    if (pixels > best.pixels) best = { pose, pixels };
  }
  return best;
}

function nearest(visible: readonly Sample[], to: Vector3): Vector3 | null {
  let [best, least]: [Vector3 | null, number] = [null, Infinity];
  for (const { point } of visible) {
    const far = point.distanceToSquared(to);
    if (far < least) [best, least] = [point, far];
  }
  return best;
}

/** Right and up on the screen for a view direction, Z up. */
export function screenAxes(direction: Vector3): [Vector3, Vector3] {
  const upright = Math.abs(direction.z) > 0.9999 ? new Vector3(0, 1, 0) : new Vector3(0, 0, 1);
  const right = upright.cross(direction).normalize();
  return [right, direction.clone().cross(right).normalize()];
}
