// Links to a line of a text area: a click puts the cursor there.

export function mountLineLinks(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[data-line]")) {
    link.addEventListener("click", (event) => {
      const area = document.querySelector<HTMLTextAreaElement>(link.hash);
      if (!area) return;
      event.preventDefault();
      const lines = area.value.split("\n");
      const line = Number(link.dataset["line"]);
      const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
      area.focus();
      area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
      area.scrollTop = (area.scrollHeight * Math.max(line - 4, 0)) / lines.length;
    });
  }
}
