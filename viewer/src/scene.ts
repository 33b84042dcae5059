// The 3D scene: camera, part, edges, section, pull arrow, picking and camera moves. Renders only when something changed.
// Draw calls: 1 for the part, 1 for its edges, 2 for the arrow, 3 more while a section is on.

import {
  BufferAttribute, BufferGeometry, ConeGeometry, CylinderGeometry, Group, LineBasicMaterial, LineSegments, Mesh,
  MeshBasicMaterial, OrthographicCamera, type Plane, Quaternion, Raycaster, Scene, Sphere, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { MeshBVH, acceleratedRaycast } from "three-mesh-bvh";
import type { PartGeometry } from "./glb";
import { Section } from "./section";
import { PartSurface } from "./surface";

export interface Hit {
  face: number;
  /** Millimeters, in the part's axes. */
  point: [number, number, number];
  /** Value of the field under the cursor, interpolated; null where there is no reading. */
  value: number | null;
}

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
const ARROW_COLOR = 0xd9480f;

/** Cost of one frame: draw calls, triangles, bytes on the GPU. */
export interface DrawCost {
  drawCalls: number;
  triangles: number;
  bytes: number;
}

export class PartScene {
  readonly surface: PartSurface;
  readonly section: Section;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new OrthographicCamera(-1, 1, 1, -1, -1e3, 1e3);
  private readonly controls: OrbitControls;
  private readonly body: Mesh;
  private readonly edges: LineSegments;
  private readonly bounds: Sphere;
  private readonly arrow = new Group();
  private dirty = true;
  private flight: { start: number; fromTarget: Vector3; toTarget: Vector3; fromZoom: number; toZoom: number } | null = null;
  readonly firstFrame: Promise<void>;
  private announceFirstFrame: () => void = () => {};

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly part: PartGeometry,
    private readonly turned: (towards: Quaternion) => void,
  ) {
    this.firstFrame = new Promise((resolve) => { this.announceFirstFrame = resolve; });
    this.renderer = new WebGLRenderer({ canvas, antialias: !drawnByProcessor(), stencil: true, alpha: true });
    this.renderer.localClippingEnabled = true;
    this.camera.up.copy(UP);

    const planes: Plane[] = [];
    this.surface = new PartSurface(part, planes);
    this.bounds = this.surface.geometry.boundingSphere ?? new Sphere(new Vector3(), 1);
    this.surface.showBacks(!part.closed);
    this.section = new Section(planes, this.surface.geometry);
    this.body = new Mesh(this.surface.geometry, this.surface.material);
    this.body.raycast = acceleratedRaycast;
    this.edges = new LineSegments(
      new BufferGeometry().setAttribute("position", new BufferAttribute(part.edgePositions, 3)),
      new LineBasicMaterial({ color: 0x1f2933, clippingPlanes: planes }),
    );
    this.scene.add(this.body, this.edges, this.section.group, this.arrow);

    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.redraw());
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement ?? canvas);
    this.resize();
    this.look("iso");
    this.renderer.setAnimationLoop((now) => this.tick(now));
  }

  redraw(): void {
    this.dirty = true;
  }

  /** Renders at once instead of in the next animation frame. */
  draw(): void {
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
    this.turned(this.camera.quaternion);
    this.announceFirstFrame();
  }

  get cost(): DrawCost {
    const { calls, triangles } = this.renderer.info.render;
    return { drawCalls: calls, triangles, bytes: this.surface.bytes + this.part.edgePositions.byteLength };
  }

  look(view: View): void {
    const direction = new Vector3(...VIEWS[view]).normalize();
    this.controls.target.copy(this.bounds.center);
    this.camera.position.copy(this.bounds.center).addScaledVector(direction, this.bounds.radius * 4);
    this.fit();
  }

  fit(): void {
    this.controls.target.copy(this.bounds.center);
    this.camera.zoom = 1;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.redraw();
  }

  /** Orbits the camera: `right` about the vertical axis, `up` over the horizon, in degrees. */
  orbit(right: number, up: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target).applyAxisAngle(UP, (-right * Math.PI) / 180);
    const polar = offset.angleTo(UP);
    const tilted = Math.min(Math.PI - 1e-3, Math.max(1e-3, polar - (up * Math.PI) / 180));
    const axis = new Vector3().crossVectors(UP, offset).normalize();
    offset.applyAxisAngle(axis, tilted - polar);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.redraw();
  }

  zoom(factor: number): void {
    this.camera.zoom = Math.min(50, Math.max(0.2, this.camera.zoom * factor));
    this.camera.updateProjectionMatrix();
    this.redraw();
  }

  showEdges(visible: boolean): void {
    this.edges.visible = visible;
    this.redraw();
  }

  /** Shows a section across an axis (0 x, 1 y, 2 z) at `offset` meters, and turns the camera to it. */
  cut(axis: number, offset: number): void {
    const towards = this.camera.position.getComponent(axis) >= this.controls.target.getComponent(axis) ? 1 : -1;
    this.section.cut(new Vector3().setComponent(axis, towards), offset * towards);
    this.surface.showBacks(true);
    this.redraw();
  }

  uncut(): void {
    this.section.off();
    this.surface.showBacks(!this.part.closed);
    this.redraw();
  }

  /** Highlights faces and moves the camera to them; an empty list clears the highlight. */
  mark(faces: readonly number[], fly: boolean): void {
    this.surface.mark(faces);
    if (fly && faces.length > 0) this.flyTo(new Set(faces));
    this.redraw();
  }

  /** Draws an arrow along the pull direction, outside the part. */
  showPull(direction: [number, number, number]): void {
    const size = this.bounds.radius;
    const material = new MeshBasicMaterial({ color: ARROW_COLOR });
    const shaft = new Mesh(new CylinderGeometry(size * 0.009, size * 0.009, size * 0.28, 12), material);
    const head = new Mesh(new ConeGeometry(size * 0.035, size * 0.12, 24), material);
    shaft.position.y = size * 0.14;
    head.position.y = size * 0.34;
    const along = new Vector3(...direction).normalize();
    this.arrow.clear().add(shaft, head);
    this.arrow.position.copy(this.bounds.center).addScaledVector(along, this.reach(along) + size * 0.06);
    this.arrow.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), along);
    this.redraw();
  }

  /** Largest distance of the part's points from its center along a direction, in meters. */
  private reach(along: Vector3): number {
    const { positions } = this.part;
    const { x, y, z } = along;
    let most = -Infinity;
    for (let k = 0; k < positions.length; k += 3) most = Math.max(most, positions[k]! * x + positions[k + 1]! * y + positions[k + 2]! * z);
    return most - this.bounds.center.dot(along);
  }

  pick(clientX: number, clientY: number, field: Float32Array | null, noReading: number): Hit | null {
    const box = this.canvas.getBoundingClientRect();
    const pointer = new Vector2(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
    // Built at the first picking, not before the first frame.
    this.surface.geometry.boundsTree ??= new MeshBVH(this.surface.geometry);
    const raycaster = new Raycaster();
    raycaster.firstHitOnly = !this.section.on;
    raycaster.setFromCamera(pointer, this.camera);
    const hit = raycaster.intersectObject(this.body).find(({ point }) => this.section.keeps(point));
    if (!hit?.face) return null;
    const { a, b, c } = hit.face;
    const face = Math.round(this.part.faces[a]!);
    const point: [number, number, number] = [hit.point.x * 1000, hit.point.y * 1000, hit.point.z * 1000];
    if (!field) return { face, point, value: null };
    const weights = this.weights(hit.point, a, b, c);
    const values = [field[a]!, field[b]!, field[c]!];
    const missing = values.some((value) => value <= noReading + 0.5);
    return { face, point, value: missing ? null : values.reduce((sum, value, k) => sum + value * weights[k]!, 0) };
  }

  private weights(at: Vector3, a: number, b: number, c: number): [number, number, number] {
    const corner = (row: number) => new Vector3().fromArray(this.part.positions, row * 3);
    const [pa, pb, pc] = [corner(a), corner(b), corner(c)];
    const whole = pb.clone().sub(pa).cross(pc.clone().sub(pa)).length() || 1;
    const wa = pb.clone().sub(at).cross(pc.clone().sub(at)).length() / whole;
    const wb = pc.clone().sub(at).cross(pa.clone().sub(at)).length() / whole;
    return [wa, wb, 1 - wa - wb];
  }

  private flyTo(faces: Set<number>): void {
    const points: Vector3[] = [];
    this.part.faces.forEach((face, row) => {
      if (faces.has(Math.round(face))) points.push(new Vector3().fromArray(this.part.positions, row * 3));
    });
    if (points.length === 0) return;
    const goal = new Sphere().setFromPoints(points);
    const zoom = Math.min(8, Math.max(1, this.bounds.radius / (goal.radius * 2.5)));
    this.flight = {
      start: calm() ? -FLIGHT_MS : performance.now(), fromTarget: this.controls.target.clone(), toTarget: goal.center, fromZoom: this.camera.zoom, toZoom: zoom,
    };
  }

  private tick(now: number): void {
    if (this.flight) {
      const share = Math.min(1, (now - this.flight.start) / FLIGHT_MS);
      const eased = share * share * (3 - 2 * share);
      const offset = this.camera.position.clone().sub(this.controls.target);
      this.controls.target.lerpVectors(this.flight.fromTarget, this.flight.toTarget, eased);
      this.camera.position.copy(this.controls.target).add(offset);
      this.camera.zoom = this.flight.fromZoom + (this.flight.toZoom - this.flight.fromZoom) * eased;
      this.camera.updateProjectionMatrix();
      this.controls.update();
      if (share === 1) this.flight = null;
      this.dirty = true;
    }
    if (this.dirty) this.draw();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement ?? this.canvas;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    const half = this.bounds.radius * 1.15;
    const wide = Math.max(1, width / height);
    const tall = Math.max(1, height / width);
    Object.assign(this.camera, { left: -half * wide, right: half * wide, top: half * tall, bottom: -half * tall });
    Object.assign(this.camera, { near: -this.bounds.radius * 10, far: this.bounds.radius * 20 });
    this.camera.updateProjectionMatrix();
    this.redraw();
  }
}

/** Whether WebGL runs in software: antialiasing then takes as long as the rest of a frame. */
function drawnByProcessor(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return true;
  const unmasked = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(unmasked ? unmasked.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

/** Whether the browser is set to reduced motion. */
function calm(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
