// Texts that stand at points of the part, and lines with ends between such points.

import { Vector3, type Camera } from "three";
import { element } from "./dom";
import type { Dimension } from "./dimension";
import { FatLines } from "./fat-lines";

const COLOR = 0x101820;
const HALO = 0xffffff;

export class Labels {
  /** Above the canvas; lets the pointer through. */
  readonly root = element("div", { class: "labels", "aria-live": "polite" });
  private readonly halo = new FatLines({ color: HALO, width: 5, through: true });
  private readonly line = new FatLines({ color: COLOR, width: 2, through: true });
  readonly lines = [this.halo, this.line];
  private shown: { at: Vector3; text: HTMLElement }[] = [];

  show(dimensions: readonly Dimension[]): void {
    const segments = dimensions.flatMap(({ from, to }) => (from.equals(to) ? [] : [...from.toArray(), ...to.toArray()]));
    for (const lines of this.lines) lines.show(segments);
    this.shown = dimensions.map(({ from, to, text }) => ({ at: from.clone().lerp(to, 0.5), text: element("span", { class: "dimension" }, text) }));
    this.root.replaceChildren(...this.shown.map(({ text }) => text));
  }

  get texts(): string[] {
    return this.shown.map(({ text }) => text.textContent ?? "");
  }

  /** Puts every text beside its point; `width`, `height`: of the canvas in CSS pixels. */
  place(camera: Camera, width: number, height: number): void {
    for (const { at, text } of this.shown) {
      const { x, y } = at.clone().project(camera);
      text.style.left = `${((x + 1) / 2) * width}px`;
      text.style.top = `${((1 - y) / 2) * height}px`;
    }
  }
}
