// The bodies of a file with several: pick one, hide it, or show it alone.

import { element } from "./dom";
import { figure, type BodyEntry } from "./result";

export interface BodyActions {
  /** Marks the faces of bodies and turns the camera to them. */
  point: (faces: readonly number[]) => void;
  hide: (faces: ReadonlySet<number>) => void;
}

export class BodyList {
  readonly root = element("details", { class: "bodies", id: "bodies", open: true });
  private readonly hidden = new Set<BodyEntry>();
  private readonly faces: Map<BodyEntry, number[]>;

  constructor(private readonly bodies: readonly BodyEntry[], private readonly actions: BodyActions) {
    this.faces = facesOfBodies(bodies);
    const count = bodies.reduce((sum, body) => sum + body.count, 0);
    const all = element("button", { type: "button", class: "plain-button", onclick: () => this.only(null) }, "Show all");
    this.root.append(element("summary", {}, `${count} bodies, ${bodies.length} different`), all, ...bodies.map((body) => this.row(body)));
    this.root.hidden = count < 2;
  }

  private row(body: BodyEntry): HTMLElement {
    const title = body.count === 1 ? body.name : `${body.count} × ${body.name}`;
    const { x, y, z } = body.geometry.bounding_box_mm;
    const word = body.bought ? "bought" : body.severity ?? "not judged";
    const hide = element("input", { type: "checkbox", checked: true, "aria-label": `Show ${title}`, onchange: () => this.toggle(body, hide.checked) });
    return element("div", { class: "body-row", "data-body": String(body.body) }, hide,
      element("button", { type: "button", class: "plain-button body-name", title: body.headline, onclick: () => this.actions.point(this.faces.get(body)!) }, title),
      element("span", { class: `word ${word}` }, word),
      element("button", { type: "button", class: "plain-button", "aria-label": `Show only ${title}`, onclick: () => this.only(body) }, "Only"),
      element("span", { class: "quiet body-size" }, `${[x, y, z].map(figure).join(" × ")} mm${body.bought ? `, ${body.bought.what}` : ""}`));
  }

  private toggle(body: BodyEntry, visible: boolean): void {
    if (visible) this.hidden.delete(body);
    else this.hidden.add(body);
    this.apply();
  }

  private only(body: BodyEntry | null): void {
    this.hidden.clear();
    if (body) for (const other of this.bodies) if (other !== body) this.hidden.add(other);
    this.apply();
  }

  /** Shows all boxes as ticked that are not hidden, after something else showed everything. */
  shownAll(): void {
    this.hidden.clear();
    this.tick();
  }

  private apply(): void {
    this.actions.hide(new Set([...this.hidden].flatMap((body) => this.faces.get(body)!)));
    this.tick();
  }

  private tick(): void {
    this.bodies.forEach((body, k) => {
      const row = this.root.querySelectorAll(".body-row")[k]!;
      row.querySelector("input")!.checked = !this.hidden.has(body);
      row.classList.toggle("hidden-body", this.hidden.has(body));
    });
  }
}

/**
 * Faces (from 0) of all bodies of each entry. An entry lists the faces of its first body; faces are numbered body by body
 * in the file's order, and equal bodies have equally many.
 */
export function facesOfBodies(bodies: readonly BodyEntry[]): Map<BodyEntry, number[]> {
  const owners = bodies.flatMap((body) => body.members.map((number) => ({ number, body }))).sort((a, b) => a.number - b.number);
  const faces = new Map<BodyEntry, number[]>(bodies.map((body) => [body, []]));
  let next = 0;
  for (const { number, body } of owners) {
    const own = faces.get(body)!;
    const first = number === body.body;
    const numbers = first ? body.fids.map((fid) => Number(fid) - 1) : body.fids.map((_, k) => next + k);
    own.push(...numbers);
    next = (first ? Math.max(next - 1, ...numbers) : next + numbers.length - 1) + 1;
  }
  return faces;
}
