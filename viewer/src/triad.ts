// The three axes of the part in a corner, turned as the part is.

import { Quaternion, Vector3 } from "three";

const NAMES = ["X", "Y", "Z"] as const;
const REACH = 22;

export class Triad {
  readonly root = svg("svg", { class: "triad", viewBox: "-34 -34 68 68", "aria-hidden": "true" });
  private readonly arms = NAMES.map((name) => {
    const line = svg("line", { class: `axis-${name.toLowerCase()}` });
    const label = svg("text", { class: `axis-${name.toLowerCase()}` });
    label.textContent = name;
    this.root.append(line, label);
    return { line, label };
  });

  /** `towards`: how the camera is turned. */
  turn(towards: Quaternion): void {
    const back = towards.clone().invert();
    this.arms.forEach(({ line, label }, k) => {
      const tip = new Vector3().setComponent(k, 1).applyQuaternion(back);
      line.setAttribute("x2", (tip.x * REACH).toFixed(1));
      line.setAttribute("y2", (-tip.y * REACH).toFixed(1));
      label.setAttribute("x", (tip.x * (REACH + 7)).toFixed(1));
      label.setAttribute("y", (-tip.y * (REACH + 7)).toFixed(1));
    });
  }
}

function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string>): SVGElementTagNameMap[K] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}
