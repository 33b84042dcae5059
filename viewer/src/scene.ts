// The 3D scene: part, edges, section, pull arrow, marks and dimensions, picking. Renders only when something changed.
// Draw calls: 1 for the part, 1 for its edges, 2 for the arrow, 3 more while a section is on, 4 for marks and dimensions.

import {
  Color, ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, type Plane, type Quaternion, Raycaster, Scene, Sphere,
  Vector2, Vector3, WebGLRenderTarget, WebGLRenderer,
} from "three";
import { acceleratedRaycast } from "three-mesh-bvh";
import { PartCamera, type Pose, type View } from "./camera";
import type { Dimension } from "./dimension";
import { PartEdges } from "./edges";
import { FatLines } from "./fat-lines";
import type { PartGeometry } from "./glb";
import { Labels } from "./labels";
import { Leaders, type Columns } from "./leaders";
import { PartIndex } from "./part-index";
import { Section } from "./section";
import { PartSurface } from "./surface";
import { findPose } from "./view-search";
import { findSight, seesPlace, type Sight } from "./visibility";

export interface Hit {
  face: number;
  /** Millimeters, in the part's axes. */
  point: [number, number, number];
  /** Value of the field under the cursor, interpolated; null where there is no reading. */
  value: number | null;
}

const ARROW_COLOR = 0xd9480f;
const OUTLINE_COLOR = 0x3a0030;
/** Pixels of the view for one of the picture in which marked pixels are counted, along each side. */
const COARSE = 2;

/** Cost of one frame: draw calls, triangles, bytes on the GPU. */
export interface DrawCost {
  drawCalls: number;
  triangles: number;
  bytes: number;
}

export class PartScene {
  readonly surface: PartSurface;
  readonly section: Section;
  readonly camera: PartCamera;
  readonly labels = new Labels();
  readonly leaders = new Leaders();
  /** Columns that controls of the page leave free for callouts. */
  columns: () => Columns = () => ({ left: [0, this.canvas.clientHeight], right: [0, this.canvas.clientHeight] });
  readonly bounds: Sphere;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly marksScene = new Scene();
  private readonly body: Mesh;
  private readonly edges: PartEdges;
  private readonly outline: FatLines;
  private readonly ghost = new FatLines({ color: OUTLINE_COLOR, width: 1.5, through: true, opacity: 0.3 });
  private readonly arrow = new Group();
  private hidden: ReadonlySet<number> = new Set();
  private found: PartIndex | null = null;
  private dirty = false;
  private frameAsked = false;
  private drawnSize = "";
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

    const planes: Plane[] = [];
    this.surface = new PartSurface(part, planes);
    this.bounds = this.surface.geometry.boundingSphere ?? new Sphere(new Vector3(), 1);
    this.surface.showBacks(!part.closed);
    this.section = new Section(planes, this.surface.geometry, () => this.surface.shapeMaterial());
    this.body = new Mesh(this.surface.geometry, this.surface.material);
    this.body.raycast = acceleratedRaycast;
    this.edges = new PartEdges(part, planes);
    this.outline = new FatLines({ color: OUTLINE_COLOR, width: 3, clippingPlanes: planes });
    this.scene.add(this.body, this.edges.lines, this.section.group, this.arrow, ...this.fatLines.map(({ group }) => group));
    this.marksScene.add(new Mesh(this.surface.geometry, this.surface.marksOnly));
    this.marksScene.background = new Color(0);

    this.camera = new PartCamera(canvas, this.bounds, () => this.redraw());
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement ?? canvas);
    this.resize();
    this.camera.look("iso");
  }

  private get fatLines(): FatLines[] {
    return [this.outline, this.ghost, ...this.labels.lines];
  }

  /** Built when it is first needed, not before the first frame. */
  get index(): PartIndex {
    this.found ??= new PartIndex(this.part, this.surface.geometry, this.surface.faceCount);
    return this.found;
  }

  /** Draws in the next animation frame. */
  redraw(): void {
    this.dirty = true;
    this.askForFrame();
  }

  /** Frames are asked for one by one: a page on which nothing moves takes no processor time. */
  private askForFrame(): void {
    if (this.frameAsked) return;
    this.frameAsked = true;
    requestAnimationFrame((now) => this.tick(now));
  }

  /** Renders at once instead of in the next animation frame. */
  draw(): void {
    this.dirty = false;
    this.renderer.render(this.scene, this.camera.camera);
    this.labels.place(this.camera.camera, this.canvas.clientWidth, this.canvas.clientHeight);
    this.placeLeaders();
    this.turned(this.camera.camera.quaternion);
    this.announceFirstFrame();
  }

  private placeLeaders(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const { direction, halves, pose } = this.camera;
    const half = (this.bounds.radius * pose.zoom * width) / (2 * halves[0]);
    this.leaders.place(this.camera.camera, { width, height }, this.columns(), half,
      (place) => this.section.keeps(place.point) && seesPlace(this.index, place, direction, this.hidden, this.bounds.radius, (at) => this.section.keeps(at)));
  }

  get cost(): DrawCost {
    const { calls, triangles } = this.renderer.info.render;
    return { drawCalls: calls, triangles, bytes: this.surface.bytes + this.edges.bytes };
  }

  look(view: View): void {
    this.camera.look(view);
  }

  showEdges(visible: boolean): void {
    this.edges.lines.visible = visible;
    this.redraw();
  }

  showGlass(glass: boolean): void {
    this.surface.setGlass(glass);
    this.redraw();
  }

  /** Shows a section: what lies beyond `offset` meters along `normal` is cut away. */
  cut(normal: Vector3, offset: number): void {
    this.section.cut(normal, offset);
    this.surface.showBacks(true);
    this.redraw();
  }

  uncut(): void {
    this.section.off();
    this.surface.showBacks(!this.part.closed);
    this.redraw();
  }

  hide(faces: ReadonlySet<number>): void {
    this.hidden = faces;
    this.surface.hide(faces);
    this.edges.hide(faces);
    this.redraw();
  }

  /** Highlights faces; an empty list clears the highlight and the dimension. */
  mark(faces: readonly number[]): void {
    this.surface.mark(faces);
    const borders = faces.length === 0 || faces.length === this.surface.faceCount ? [] : this.index.borders(faces);
    this.outline.show(borders);
    this.ghost.show(borders);
    this.labels.show([]);
    this.redraw();
  }

  measure(dimensions: readonly Dimension[]): void {
    this.labels.show(dimensions);
    this.redraw();
  }

  /** Turns the camera to where marked faces are visible; the section that is needed for it, if any. */
  fly(faces: readonly number[], worst: Vector3 | null): Sight["section"] {
    if (faces.length === 0 || faces.length === this.surface.faceCount) {
      this.camera.fit();
      return null;
    }
    const sight = findSight(this.index, faces, this.camera.direction, this.hidden, this.bounds.radius);
    if (sight.section) this.cut(new Vector3().setComponent(sight.section.axis, sight.section.sign), sight.section.offset * sight.section.sign);
    const before = this.camera.pose;
    const { pose } = findPose(this.index, faces, sight, worst, this.camera, (tried) => this.countMarked(tried));
    this.camera.take(before);
    this.camera.fly(pose);
    return sight.section;
  }

  /** Pixels of marked faces that a pose shows. */
  private countMarked(pose: Pose): number {
    this.camera.take(pose);
    const size = this.renderer.getSize(new Vector2());
    const [width, height] = [Math.max(1, Math.round(size.x / COARSE)), Math.max(1, Math.round(size.y / COARSE))];
    const target = new WebGLRenderTarget(width, height);
    this.renderer.setRenderTarget(target);
    this.renderer.render(this.marksScene, this.camera.camera);
    const pixels = new Uint8Array(width * height * 4);
    this.renderer.readRenderTargetPixels(target, 0, 0, width, height, pixels);
    this.renderer.setRenderTarget(null);
    target.dispose();
    let count = 0;
    for (let k = 0; k < pixels.length; k += 4) if (pixels[k]! > 127) count++;
    return count * COARSE * COARSE;
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
    const { bvh } = this.index;
    this.surface.geometry.boundsTree = bvh;
    const raycaster = new Raycaster();
    raycaster.firstHitOnly = !this.section.on && this.hidden.size === 0;
    raycaster.setFromCamera(pointer, this.camera.camera);
    const hit = raycaster.intersectObject(this.body).find(({ point, face }) =>
      this.section.keeps(point) && face && !this.hidden.has(Math.round(this.part.faces[face.a]!)));
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

  private tick(now: number): void {
    this.frameAsked = false;
    this.camera.tick(now);
    if (this.dirty) this.draw();
    if (this.camera.flying) this.askForFrame();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement ?? this.canvas;
    const ratio = Math.min(window.devicePixelRatio, 2);
    // The observer calls once at the start, when the size is known already; setting it again empties the canvas.
    const size = `${width} x ${height} x ${ratio}`;
    if (width === 0 || height === 0 || size === this.drawnSize) return;
    this.drawnSize = size;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    for (const lines of this.fatLines) lines.resize(new Vector2(width, height));
    this.camera?.resize(width, height);
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
