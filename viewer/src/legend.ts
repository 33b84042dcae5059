// The legend of a measured field: a colour bar whose two ends can be dragged, or moved with the arrow keys.

import { element } from "./dom";
import { rampGradient, type Ramp } from "./ramps";
import { figure } from "./result";

export class Legend {
  readonly root: HTMLElement;
  private readonly bar = element("div", { class: "legend-bar" });
  private readonly ends: [HTMLElement, HTMLElement];
  private full: [number, number] = [0, 1];
  private range: [number, number] = [0, 1];
  private unit = "";

  constructor(private readonly changed: (low: number, high: number) => void) {
    this.ends = [this.end(0, "lowest value shown"), this.end(1, "highest value shown")];
    this.root = element("div", { class: "legend", role: "group", "aria-label": "Colour scale" }, this.bar, ...this.ends);
    this.root.hidden = true;
  }

  show(ramp: Ramp, full: [number, number], range: [number, number], unit: string): void {
    this.bar.style.backgroundImage = rampGradient(ramp);
    this.full = full;
    this.unit = unit;
    this.root.hidden = false;
    this.set(range);
  }

  hide(): void {
    this.root.hidden = true;
  }

  private set(range: [number, number]): void {
    this.range = range;
    const [low, high] = this.full;
    this.ends.forEach((end, k) => {
      const share = (range[k]! - low) / Math.max(high - low, 1e-9);
      end.style.left = `${Math.min(1, Math.max(0, share)) * 100}%`;
      end.textContent = `${figure(range[k]!)} ${this.unit}`;
      end.setAttribute("aria-valuenow", String(range[k]!));
      end.setAttribute("aria-valuemin", String(low));
      end.setAttribute("aria-valuemax", String(high));
      end.setAttribute("aria-valuetext", end.textContent);
    });
    const [from, to] = range.map((value) => ((value - low) / Math.max(high - low, 1e-9)) * 100) as [number, number];
    this.bar.style.backgroundSize = `${Math.max(to - from, 0.5)}% 100%`;
    this.bar.style.backgroundPosition = `${(from / Math.max(100 - (to - from), 1e-6)) * 100}% 0`;
    this.changed(range[0], range[1]);
  }

  private move(which: 0 | 1, value: number): void {
    const [low, high] = this.full;
    const gap = (high - low) * 0.01;
    const next: [number, number] = [...this.range];
    next[which] = which === 0
      ? Math.min(Math.max(value, low), this.range[1] - gap)
      : Math.max(Math.min(value, high), this.range[0] + gap);
    this.set(next);
  }

  private end(which: 0 | 1, label: string): HTMLElement {
    const handle = element("button", {
      type: "button", class: `legend-end legend-end-${which === 0 ? "low" : "high"}`, role: "slider", "aria-label": label,
      onpointerdown: (event: PointerEvent) => handle.setPointerCapture(event.pointerId),
      onpointermove: (event: PointerEvent) => {
        if (!handle.hasPointerCapture(event.pointerId)) return;
        const box = this.bar.getBoundingClientRect();
        const share = (event.clientX - box.left) / box.width;
        this.move(which, this.full[0] + share * (this.full[1] - this.full[0]));
      },
      onkeydown: (event: KeyboardEvent) => {
        const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        this.move(which, this.range[which] + (step * (this.full[1] - this.full[0])) / 50);
      },
    });
    return handle;
  }
}
