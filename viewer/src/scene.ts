// The 3D view: camera, light, part, edges, section, pull arrow, picking and flying. Draws only when something changed.
// Draw calls: 1 for the part, 1 for its edges, 1 for the arrow when shown, 3 more while a section is on.

import {
  ArrowHelper, BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, Mesh, OrthographicCamera, Raycaster, Scene,
  Sphere, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { MeshBVH, acceleratedRaycast } from "three-mesh-bvh";
import type { PartGeometry } from "./glb";
import { Section } from "./section";
import { Skin } from "./skin";

export interface Hit {
  face: number;
  /** Millimetres, in the part's axes. */
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

export class PartScene {
  readonly skin: Skin;
  readonly section: Section;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new OrthographicCamera(-1, 1, 1, -1, -1e3, 1e3);
  private readonly controls: OrbitControls;
  private readonly body: Mesh;
  private readonly edges: LineSegments;
  private readonly bounds: Sphere;
  private arrow: ArrowHelper | null = null;
  private dirty = true;
  private flight: { start: number; fromTarget: Vector3; toTarget: Vector3; fromZoom: number; toZoom: number } | null = null;
  framesDrawn = 0;
  readonly firstFrame: Promise<void>;
  private announceFirstFrame: () => void = () => {};

  constructor(private readonly canvas: HTMLCanvasElement, private readonly part: PartGeometry) {
    this.firstFrame = new Promise((resolve) => { this.announceFirstFrame = resolve; });
    this.renderer = new WebGLRenderer({ canvas, antialias: true, stencil: true, alpha: true });
    this.renderer.localClippingEnabled = true;
    this.camera.up.set(0, 0, 1);

    const probe = new BufferGeometry().setAttribute("position", new BufferAttribute(part.positions, 3));
    probe.computeBoundingSphere();
    this.bounds = probe.boundingSphere ?? new Sphere(new Vector3(), 1);
    this.section = new Section(withSphere(part, this.bounds));
    this.skin = new Skin(part, [this.section.plane]);
    this.body = new Mesh(this.skin.geometry, this.skin.material);
    this.body.raycast = acceleratedRaycast;
    this.edges = new LineSegments(
      new BufferGeometry().setAttribute("position", new BufferAttribute(part.edgePositions, 3)),
      new LineBasicMaterial({ color: 0x1f2933, clippingPlanes: [this.section.plane] }),
    );
    this.scene.add(this.body, this.edges, this.section.group);

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

  /** Draws now, for those who cannot wait for the next frame. */
  draw(): void {
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
    if (this.framesDrawn++ === 0) this.announceFirstFrame();
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

  showEdges(visible: boolean): void {
    this.edges.visible = visible;
    this.redraw();
  }

  /** Cuts across an axis (0 x, 1 y, 2 z) at `offset` metres, so that the viewer looks at the cut. */
  cut(axis: number, offset: number): void {
    const towards = this.camera.position.getComponent(axis) >= this.controls.target.getComponent(axis) ? 1 : -1;
    this.section.cut(new Vector3().setComponent(axis, towards), offset * towards);
    this.redraw();
  }

  /** Marks faces and flies to them; no faces clears the mark. */
  mark(faces: readonly number[], fly: boolean): void {
    this.skin.mark(faces);
    if (fly && faces.length > 0) this.flyTo(new Set(faces));
    this.redraw();
  }

  showPull(direction: [number, number, number] | null): void {
    if (this.arrow) this.scene.remove(this.arrow);
    this.arrow = null;
    if (direction) {
      const along = new Vector3(...direction).normalize();
      const start = this.bounds.center.clone().addScaledVector(along, this.bounds.radius * 0.62);
      this.arrow = new ArrowHelper(along, start, this.bounds.radius * 0.4, 0xd9480f, this.bounds.radius * 0.12, this.bounds.radius * 0.06);
      this.scene.add(this.arrow);
    }
    this.redraw();
  }

  pick(clientX: number, clientY: number, field: Float32Array | null, noReading: number): Hit | null {
    const box = this.canvas.getBoundingClientRect();
    const pointer = new Vector2(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
    // Built at the first look under the cursor, not before the first frame.
    this.skin.geometry.boundsTree ??= new MeshBVH(this.skin.geometry);
    const raycaster = new Raycaster();
    raycaster.firstHitOnly = !this.section.on;
    raycaster.setFromCamera(pointer, this.camera);
    const hit = raycaster.intersectObject(this.body).find(({ point }) => this.section.plane.distanceToPoint(point) >= 0);
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
      start: performance.now(), fromTarget: this.controls.target.clone(), toTarget: goal.center, fromZoom: this.camera.zoom, toZoom: zoom,
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

function withSphere(part: PartGeometry, sphere: Sphere): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(part.positions, 3));
  geometry.setIndex(new BufferAttribute(part.triangles, 1));
  geometry.boundingSphere = sphere.clone();
  return geometry;
}
