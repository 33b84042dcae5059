// Links to files that take a while to make: a click says so at once and counts the seconds, then the file is saved.

export function mountMaking(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[data-making]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      if (link.getAttribute("aria-busy") !== "true") void make(link);
    });
  }
}

async function make(link: HTMLAnchorElement): Promise<void> {
  const status = document.createElement("span");
  status.className = "making";
  status.setAttribute("role", "status");
  const bar = document.createElement("progress");
  bar.setAttribute("aria-label", `Making the ${link.dataset["making"]}`);
  const text = document.createElement("span");
  status.append(bar, text);
  const started = performance.now();
  const tell = (): void => { text.textContent = ` making the ${link.dataset["making"]}, ${Math.floor((performance.now() - started) / 1000)} s`; };
  tell();
  const clock = window.setInterval(tell, 1000);
  link.setAttribute("aria-busy", "true");
  link.after(status);
  try {
    const answer = await fetch(link.href, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(((await answer.json()) as { error?: string }).error ?? `the service answered ${answer.status}`);
    save(await answer.blob(), fileName(answer));
    status.remove();
  } catch (error) {
    bar.remove();
    text.textContent = error instanceof Error ? error.message : String(error);
    text.className = "error-text";
  } finally {
    window.clearInterval(clock);
    link.removeAttribute("aria-busy");
  }
}

/** Name that the service gives the file. */
function fileName(answer: Response): string {
  const name = /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1];
  return name ? decodeURIComponent(name) : "report";
}

function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
