// Two cameras that move together: the same point of the part in the middle, the same direction and the same scale.

import type { Vector3 } from "three";
import type { Pose } from "./camera";
import type { PartScene } from "./scene";

/** Poses that differ less (of the part's radius, of a direction, of a zoom) are the same. */
const SAME = 1e-6;

/** Makes `follower` look as `leader` does; `shift`: from the leader's part to the follower's, meters. */
export function follow(leader: PartScene, follower: PartScene, shift: Vector3): void {
  const { target, direction, zoom } = leader.camera.pose;
  // The zoom is relative to the size of each part.
  const scale = follower.camera.halves[1] / leader.camera.halves[1];
  const wanted: Pose = { target: target.add(shift), direction, zoom: zoom * scale };
  if (!same(wanted, follower.camera.pose, follower.bounds.radius)) follower.camera.take(wanted);
}

function same(one: Pose, other: Pose, radius: number): boolean {
  return one.target.distanceTo(other.target) < SAME * radius && one.direction.distanceTo(other.direction) < SAME && Math.abs(one.zoom / other.zoom - 1) < SAME;
}
