// A cube in the corner of the view that turns with the camera; a click on a side looks at it.

import { Quaternion, Vector3 } from "three";
import { element } from "./dom";

/** Side, direction towards the camera that looks at it, and the turn (degrees about x, then y) of its square. */
const SIDES: readonly [string, [number, number, number], string][] = [
  ["Front", [0, -1, 0], "rotateX(0deg)"],
  ["Back", [0, 1, 0], "rotateY(180deg)"],
  ["Right", [1, 0, 0], "rotateY(90deg)"],
  ["Left", [-1, 0, 0], "rotateY(-90deg)"],
  ["Top", [0, -1e-4, 1], "rotateX(90deg)"],
  ["Bottom", [0, -1e-4, -1], "rotateX(-90deg)"],
];
const HALF_PX = 24;

export class ViewCube {
  readonly root: HTMLElement;
  private readonly cube = element("div", { class: "cube" });

  constructor(look: (direction: Vector3) => void) {
    for (const [name, direction, turn] of SIDES) {
      const side = element("button", { type: "button", class: "cube-side", tabindex: "-1", "aria-label": `${name} view`, onclick: () => look(new Vector3(...direction)) }, name);
      side.style.transform = `${turn} translateZ(${HALF_PX}px)`;
      this.cube.append(side);
    }
    this.root = element("div", { class: "view-cube" }, this.cube);
  }

  /** `camera`: rotation of the camera. */
  rotate(camera: Quaternion): void {
    const inverse = camera.clone().invert();
    // Axes of the cube in the page: x right, y down, z to the reader; the part's z is up, its y away from the front.
    const [x, y, z] = [new Vector3(1, 0, 0), new Vector3(0, 0, 1), new Vector3(0, -1, 0)].map((axis) => axis.applyQuaternion(inverse)) as [Vector3, Vector3, Vector3];
    const m = [x.x, -x.y, x.z, 0, -y.x, y.y, -y.z, 0, z.x, -z.y, z.z, 0, 0, 0, 0, 1];
    this.cube.style.transform = `matrix3d(${m.map((value) => value.toFixed(5)).join(",")})`;
  }
}
