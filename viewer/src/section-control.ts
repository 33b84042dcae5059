// Controls of the section: across which axis or picked face, where in millimeters, and which side is cut away.

import { Vector3 } from "three";
import { element } from "./dom";

export interface SectionActions {
  /** Smallest and largest position of the part along a direction, meters. */
  extent: (normal: Vector3) => [number, number];
  cut: (normal: Vector3, offset: number) => void;
  uncut: () => void;
  /** Plane of the face that was clicked last; null where none was. */
  picked: () => { normal: Vector3; offset: number } | null;
  /** Direction from the part to the camera, so that the near side is cut away. */
  towards: () => Vector3;
}

const AXES = ["x", "y", "z"] as const;

export class SectionControl {
  readonly root: HTMLElement;
  private readonly choice = element("select", { "aria-label": "Section across", onchange: () => this.chosen() },
    ...["off", ...AXES, "face"].map((name) => element("option", { value: name }, name === "off" ? "No section" : name === "face" ? "Section at the picked face" : `Section ${name.toUpperCase()}`)));
  private readonly slider = element("input", { type: "range", min: "0", max: "1000", "aria-label": "Position of the section", oninput: () => this.slid() });
  private readonly position = element("input", { type: "number", step: "any", class: "section-mm", "aria-label": "Position of the section in millimeters", onchange: () => this.typed() });
  private readonly flip = element("button", { type: "button", title: "Cut away the other side", onclick: () => this.flipped() }, "Flip");
  private readonly details = element("span", { class: "section-details" }, this.slider, this.position, element("span", { class: "quiet" }, "mm"), this.flip);
  private normal = new Vector3(0, 0, 1);
  private offset = 0;

  constructor(private readonly actions: SectionActions) {
    this.details.hidden = true;
    this.root = element("span", { class: "section-control" }, this.choice, this.details);
  }

  /** Shows a section that was opened from elsewhere. */
  set(axis: number, sign: 1 | -1, position: number): void {
    this.choice.value = AXES[axis]!;
    this.normal = new Vector3().setComponent(axis, sign);
    this.offset = position * sign;
    this.apply();
  }

  clear(): void {
    this.choice.value = "off";
    this.details.hidden = true;
    this.actions.uncut();
  }

  get on(): boolean {
    return this.choice.value !== "off";
  }

  private chosen(): void {
    const axis = AXES.indexOf(this.choice.value as (typeof AXES)[number]);
    if (axis >= 0) {
      this.normal = new Vector3().setComponent(axis, this.actions.towards().getComponent(axis) >= 0 ? 1 : -1);
      const [low, high] = this.actions.extent(this.normal);
      this.offset = (low + high) / 2;
      this.apply();
      return;
    }
    const picked = this.choice.value === "face" ? this.actions.picked() : null;
    if (!picked) {
      this.clear();
      return;
    }
    this.normal = picked.normal.clone();
    // A little into the material, so that the face itself is cut away.
    const [low, high] = this.actions.extent(this.normal);
    this.offset = picked.offset - (high - low) * 1e-3;
    this.apply();
  }

  private slid(): void {
    const [low, high] = this.actions.extent(this.normal);
    this.offset = low + ((high - low) * Number(this.slider.value)) / 1000;
    this.apply();
  }

  private typed(): void {
    if (this.position.value === "") return;
    this.offset = (Number(this.position.value) / 1000) * this.sign;
    this.apply();
  }

  private flipped(): void {
    this.normal.negate();
    this.offset = -this.offset;
    this.apply();
  }

  /** Positions are shown as coordinates of the part, whichever side is cut away. */
  private get sign(): 1 | -1 {
    const { x, y, z } = this.normal;
    return x + y + z < 0 ? -1 : 1;
  }

  private apply(): void {
    const [low, high] = this.actions.extent(this.normal);
    this.details.hidden = false;
    this.slider.value = String(Math.round((1000 * (this.offset - low)) / Math.max(high - low, 1e-12)));
    this.position.value = String(Number((this.offset * this.sign * 1000).toFixed(3)));
    this.actions.cut(this.normal, this.offset);
  }
}
