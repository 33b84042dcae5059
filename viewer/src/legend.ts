// The legend of a measured field: a color bar whose two ends can be dragged, or moved with the arrow keys. The bar is
// drawn on a square-root scale about zero, because the small values are the ones that matter.

import { element } from "./dom";
import { rampGradient, type Ramp } from "./ramps";
import { quantity } from "./result";

type Range = [number, number];

export interface Scale {
  title: string;
  unit: string;
  ramp: Ramp;
}

export class Legend {
  readonly root: HTMLElement;
  private readonly bar = element("div", { class: "legend-bar" });
  private readonly title = element("span", { class: "legend-title" });
  private readonly ends: [HTMLElement, HTMLElement];
  private scale: Scale = { title: "", unit: "", ramp: [] };
  private full: Range = [0, 1];
  private range: Range = [0, 1];

  constructor(private readonly changed: (low: number, high: number) => void) {
    this.ends = [this.end(0, "lowest value colored"), this.end(1, "highest value colored")];
    const missing = element("span", { class: "legend-missing" }, element("span", { class: "swatch no-reading" }), "no reading");
    const head = element("div", { class: "legend-head" }, this.title, missing);
    const track = element("div", { class: "legend-track" }, this.bar, ...this.ends);
    this.root = element("div", { class: "legend", role: "group", "aria-label": "Color scale" }, head, track);
    this.root.hidden = true;
  }

  show(scale: Scale, full: Range, range: Range): void {
    this.scale = scale;
    this.full = full;
    this.title.textContent = scale.title;
    this.root.hidden = false;
    this.set(range);
  }

  hide(): void {
    this.root.hidden = true;
  }

  private set(range: Range): void {
    this.range = range;
    this.ends.forEach((end, k) => {
      const share = this.share(range[k]!);
      end.style.left = `${share * 100}%`;
      end.classList.toggle("leftward", k === 0 ? share > 0.25 : share > 0.8);
      const text = quantity(range[k]!, this.scale.unit);
      end.textContent = text;
      end.setAttribute("aria-valuenow", String(range[k]!));
      end.setAttribute("aria-valuemin", String(this.full[0]));
      end.setAttribute("aria-valuemax", String(this.full[1]));
      end.setAttribute("aria-valuetext", text);
    });
    const { ramp } = this.scale;
    const values = ramp.map((_, k) => range[0] + ((range[1] - range[0]) * k) / (ramp.length - 1));
    this.bar.style.backgroundImage = rampGradient(ramp, values.map((value) => this.share(value) * 100));
    this.changed(range[0], range[1]);
  }

  private move(which: 0 | 1, share: number): void {
    const value = this.value(Math.min(1, Math.max(0, share)));
    const gap = (this.full[1] - this.full[0]) * 1e-3;
    const next: Range = [...this.range];
    next[which] = which === 0 ? Math.min(value, this.range[1] - gap) : Math.max(value, this.range[0] + gap);
    this.set(next);
  }

  /** Where a value lies on the bar, 0 to 1. */
  private share(value: number): number {
    const [low, high] = this.full.map(root) as Range;
    return Math.min(1, Math.max(0, (root(value) - low) / Math.max(high - low, 1e-9)));
  }

  private value(share: number): number {
    const [low, high] = this.full.map(root) as Range;
    const place = low + share * (high - low);
    return Math.sign(place) * place * place;
  }

  private end(which: 0 | 1, label: string): HTMLElement {
    const handle = element("button", {
      type: "button", class: "legend-end", role: "slider", "aria-label": label,
      onpointerdown: (event: PointerEvent) => handle.setPointerCapture(event.pointerId),
      onpointermove: (event: PointerEvent) => {
        if (!handle.hasPointerCapture(event.pointerId)) return;
        const box = this.bar.getBoundingClientRect();
        this.move(which, (event.clientX - box.left) / box.width);
      },
      onkeydown: (event: KeyboardEvent) => {
        const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        this.move(which, this.share(this.range[which]) + step / 50);
      },
    });
    return handle;
  }
}

function root(value: number): number {
  return Math.sign(value) * Math.sqrt(Math.abs(value));
}
