// A form whose page is asked for anew as it changes: the parts marked `data-part` are replaced, everything else stays.

const PAUSE_MS = 250;

export function mountLiveForm(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-live]");
  const status = form?.querySelector<HTMLElement>("[data-live-status]");
  if (!form || !status) return;
  let waiting = 0;
  let asked = 0;
  const ask = async (): Promise<void> => {
    if (!form.checkValidity()) return;
    const number = ++asked;
    const address = `${form.action}?${new URLSearchParams(new FormData(form) as never).toString()}`;
    status.textContent = "Pricing…";
    hold(true);
    try {
      const answer = await fetch(address, { headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      // An answer that a later question has overtaken is dropped.
      if (number !== asked) return;
      replaceParts(page);
      history.replaceState(null, "", address);
      status.textContent = "";
      hold(!answer.ok);
    } catch {
      status.textContent = "The price could not be asked for: the connection was lost. Change anything to try again.";
    }
  };
  form.addEventListener("input", () => {
    hold(true);
    window.clearTimeout(waiting);
    waiting = window.setTimeout(() => void ask(), PAUSE_MS);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void ask();
  });
}

/** Nothing is saved while the price shown is not that of the form. */
function hold(held: boolean): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-live-hold]")) button.disabled = held;
}

function replaceParts(page: Document): void {
  const focused = document.activeElement?.id;
  for (const part of document.querySelectorAll("[data-part]")) {
    const fresh = page.getElementById(part.id);
    if (fresh) part.replaceWith(document.adoptNode(fresh));
  }
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
}
