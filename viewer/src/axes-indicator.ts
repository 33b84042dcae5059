// The indicator of the part's three axes in a corner of the view, rotated with the camera.

import { Quaternion, Vector3 } from "three";
import { svg } from "./dom";

const NAMES = ["X", "Y", "Z"] as const;
/** Length of an axis in the drawing's units. */
const LENGTH = 22;

export class AxesIndicator {
  readonly root = svg("svg", { class: "triad", viewBox: "-34 -34 68 68", "aria-hidden": "true" });
  private readonly arms = NAMES.map((name) => {
    const line = svg("line", { class: `axis-${name.toLowerCase()}` });
    const label = svg("text", { class: `axis-${name.toLowerCase()}` });
    label.textContent = name;
    this.root.append(line, label);
    return { line, label };
  });

  /** Redraws the axes; `camera`: rotation of the camera. */
  rotate(camera: Quaternion): void {
    const inverse = camera.clone().invert();
    this.arms.forEach(({ line, label }, k) => {
      const tip = new Vector3().setComponent(k, 1).applyQuaternion(inverse);
      line.setAttribute("x2", (tip.x * LENGTH).toFixed(1));
      line.setAttribute("y2", (-tip.y * LENGTH).toFixed(1));
      label.setAttribute("x", (tip.x * (LENGTH + 7)).toFixed(1));
      label.setAttribute("y", (-tip.y * (LENGTH + 7)).toFixed(1));
    });
  }
}
