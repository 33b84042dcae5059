// A section plane with a cap: back faces increment and front faces decrement the stencil buffer, and a quad in the plane
// is drawn where it is not zero, which is where the plane cuts material.

import {
  AlwaysStencilFunc, BackSide, DecrementWrapStencilOp, FrontSide, Group, IncrementWrapStencilOp, Mesh, MeshBasicMaterial,
  NotEqualStencilFunc, Plane, PlaneGeometry, ReplaceStencilOp, Vector3, type BufferGeometry, type Material, type Side, type StencilOp,
} from "three";

export class Section {
  readonly group = new Group();
  private readonly plane = new Plane();
  private readonly cap: Mesh;

  /**
   * `planes` are what the part's materials are clipped by: none while the section is off, because a shader that may
   * throw pixels away takes half as long again. `geometry` is the part's own, so that its buffers are shared; `shape`
   * makes a material that places it as the part's does, without what is hidden.
   */
  constructor(private readonly planes: Plane[], geometry: BufferGeometry, shape: () => Material) {
    const counting: [Side, StencilOp][] = [[BackSide, IncrementWrapStencilOp], [FrontSide, DecrementWrapStencilOp]];
    for (const [side, op] of counting) {
      const material = Object.assign(shape(), {
        side, depthWrite: false, depthTest: false, colorWrite: false, stencilWrite: true, stencilFunc: AlwaysStencilFunc,
      });
      material.stencilFail = material.stencilZFail = material.stencilZPass = op;
      const counter = new Mesh(geometry, material);
      counter.renderOrder = 1;
      this.group.add(counter);
    }
    const radius = geometry.boundingSphere?.radius ?? 1;
    const material = new MeshBasicMaterial({
      color: 0x7d8790, stencilWrite: true, stencilRef: 0, stencilFunc: NotEqualStencilFunc,
      stencilFail: ReplaceStencilOp, stencilZFail: ReplaceStencilOp, stencilZPass: ReplaceStencilOp,
    });
    this.cap = new Mesh(new PlaneGeometry(radius * 4, radius * 4), material);
    this.cap.renderOrder = 2;
    this.cap.onAfterRender = (renderer) => renderer.clearStencil();
    this.group.add(this.cap);
    this.group.visible = false;
  }

  /** Clips everything above `offset` along `normal` (part axes, meters). */
  cut(normal: Vector3, offset: number): void {
    this.plane.normal.copy(normal).negate();
    this.plane.constant = offset;
    this.plane.coplanarPoint(this.cap.position);
    this.cap.lookAt(this.cap.position.clone().add(normal));
    this.group.visible = true;
    this.planes[0] = this.plane;
  }

  off(): void {
    this.group.visible = false;
    this.planes.length = 0;
  }

  /** Whether a point (part axes, meters) is not clipped. */
  keeps(point: Vector3): boolean {
    return !this.on || this.plane.distanceToPoint(point) >= 0;
  }

  get on(): boolean {
    return this.group.visible;
  }
}
