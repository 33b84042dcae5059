// The orthographic camera: standard views, orbit, zoom, and flights to a place.

import { OrthographicCamera, Quaternion, Vector3, type Sphere } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

export type View = "iso" | "front" | "back" | "left" | "right" | "top" | "bottom";

const VIEWS: Record<View, [number, number, number]> = {
  iso: [1, -1.3, 0.9],
  front: [0, -1, 0],
  back: [0, 1, 0],
  left: [-1, 0, 0],
  right: [1, 0, 0],
  top: [0, -1e-4, 1],
  bottom: [0, -1e-4, -1],
};
const FLIGHT_MS = 350;
const UP = new Vector3(0, 0, 1);
const ZOOMS = [0.2, 400] as const;

/** Where a flight ends: the point in the middle, the direction from it to the camera, the zoom. */
export interface Pose {
  target: Vector3;
  direction: Vector3;
  zoom: number;
}

export class PartCamera {
  readonly camera = new OrthographicCamera(-1, 1, 1, -1, -1e3, 1e3);
  readonly controls: OrbitControls;
  private flight: { start: number; from: Pose; to: Pose } | null = null;

  constructor(canvas: HTMLCanvasElement, private readonly bounds: Sphere, private readonly changed: () => void) {
    this.camera.up.copy(UP);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.changed());
    this.controls.addEventListener("start", () => { this.flight = null; });
  }

  /** From the part to the camera. */
  get direction(): Vector3 {
    return this.camera.position.clone().sub(this.controls.target).normalize();
  }

  get pose(): Pose {
    return { target: this.controls.target.clone(), direction: this.direction, zoom: this.camera.zoom };
  }

  /** Half width and height of what is shown at zoom 1, meters. */
  get halves(): [number, number] {
    return [this.camera.right, this.camera.top];
  }

  look(view: View): void {
    this.take({ target: this.bounds.center.clone(), direction: new Vector3(...VIEWS[view]).normalize(), zoom: 1 });
  }

  /** Shows the whole part from the present direction. */
  fit(): void {
    this.take({ target: this.bounds.center.clone(), direction: this.direction, zoom: 1 });
  }

  /** Turns the camera to a direction about the part's center, at the present zoom. */
  turn(direction: Vector3): void {
    this.fly({ ...this.pose, direction: direction.clone().normalize() });
  }

  /** Turns the camera: `right` about the vertical axis, `up` over the horizon, in degrees. */
  orbit(right: number, up: number): void {
    const offset = this.direction.applyAxisAngle(UP, (-right * Math.PI) / 180);
    const polar = offset.angleTo(UP);
    const tilted = Math.min(Math.PI - 1e-3, Math.max(1e-3, polar - (up * Math.PI) / 180));
    offset.applyAxisAngle(new Vector3().crossVectors(UP, offset).normalize(), tilted - polar);
    this.take({ ...this.pose, direction: offset });
  }

  zoom(factor: number): void {
    this.take({ ...this.pose, zoom: Math.min(ZOOMS[1], Math.max(ZOOMS[0], this.camera.zoom * factor)) });
  }

  /** Takes a pose at once. */
  take({ target, direction, zoom }: Pose): void {
    this.flight = null;
    this.place(target, direction, zoom);
  }

  fly(to: Pose): void {
    if (calm()) {
      this.take(to);
      return;
    }
    this.flight = { start: performance.now(), from: this.pose, to };
    this.changed();
  }

  get flying(): boolean {
    return this.flight !== null;
  }

  tick(now: number): void {
    if (!this.flight) return;
    const { start, from, to } = this.flight;
    const share = Math.min(1, Math.max(0, (now - start) / FLIGHT_MS));
    const eased = share * share * (3 - 2 * share);
    const whole = new Quaternion().setFromUnitVectors(from.direction, to.direction);
    const direction = from.direction.clone().applyQuaternion(new Quaternion().slerp(whole, eased));
    // Zoom changes by equal factors, so that a long way in does not rush at its end.
    this.place(from.target.clone().lerp(to.target, eased), direction, from.zoom * (to.zoom / from.zoom) ** eased);
    if (share === 1) this.flight = null;
  }

  resize(width: number, height: number): void {
    const half = this.bounds.radius * 1.15;
    const wide = Math.max(1, width / height);
    const tall = Math.max(1, height / width);
    Object.assign(this.camera, { left: -half * wide, right: half * wide, top: half * tall, bottom: -half * tall });
    Object.assign(this.camera, { near: -this.bounds.radius * 10, far: this.bounds.radius * 20 });
    this.camera.updateProjectionMatrix();
  }

  private place(target: Vector3, direction: Vector3, zoom: number): void {
    // Straight from above or below, "up" on the screen would be undefined.
    const tilted = Math.abs(direction.z) > 0.99999 ? offVertical(direction) : direction;
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(tilted, this.bounds.radius * 4);
    this.camera.zoom = zoom;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.camera.updateMatrixWorld();
    this.changed();
  }
}

/** A little off the vertical, to the side that the direction already leans to, so that it still turns about the vertical. */
function offVertical({ x, y, z }: Vector3): Vector3 {
  const side = Math.hypot(x, y) > 1e-7 ? new Vector3(x, y, 0).normalize() : new Vector3(0, -1, 0);
  return side.multiplyScalar(1e-4).setZ(Math.sign(z)).normalize();
}

/** Whether the browser is set to reduced motion. */
function calm(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
