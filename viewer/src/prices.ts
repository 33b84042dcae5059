// Unit prices of the processes at a quantity that is typed, filled into the places that the cards leave for them.

import { element } from "./dom";

interface Choices {
  quantity: number;
  currency: string;
  processes: { process: string; price: number | null; lead_time_days: number | null; material: string | null }[];
}

const FIRST_QUANTITY = 100;

export class Prices {
  readonly root: HTMLElement;
  private readonly quantity = element("input", { type: "number", min: "1", step: "1", value: String(FIRST_QUANTITY), id: "card-quantity", onchange: () => void this.load() });
  private readonly status = element("span", { class: "quiet", role: "status" });
  private choices: Choices | null = null;

  /** `cards`: the element that holds the cards; `address`: of the analysis. */
  constructor(private readonly cards: HTMLElement, private readonly address: string) {
    this.root = element("div", { class: "card-quantity" }, element("label", { for: "card-quantity" }, "Price for"), this.quantity, element("span", {}, "pieces"), this.status);
    // Cards are drawn anew when another configuration is chosen.
    new MutationObserver(() => this.fill()).observe(cards, { childList: true });
  }

  async load(): Promise<void> {
    const wanted = this.quantity.value;
    const answer = await fetch(`${this.address}/prices?quantity=${encodeURIComponent(wanted)}`, { headers: { Accept: "application/json" } });
    const body = (await answer.json()) as Choices & { error?: string };
    if (this.quantity.value !== wanted) return; // another quantity was typed meanwhile
    this.choices = answer.ok ? body : null;
    this.status.textContent = answer.ok ? "" : body.error ?? "no price could be made";
    this.fill();
  }

  private fill(): void {
    for (const place of this.cards.querySelectorAll<HTMLElement>("[data-price]")) {
      const found = this.choices?.processes.find((one) => one.process === place.dataset["price"]);
      const each = found?.price?.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
      const days = found?.lead_time_days ? `, ${found.lead_time_days} working ${found.lead_time_days === 1 ? "day" : "days"}` : "";
      const text = each === undefined ? "" : `${each} ${this.choices!.currency} each in ${found!.material ?? "its material"}${days}`;
      if (place.textContent !== text) place.textContent = text;
    }
  }
}
