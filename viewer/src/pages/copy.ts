// Buttons that copy the text of another element.

export function mountCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const source = document.getElementById(button.dataset["copy"] ?? "");
      void navigator.clipboard.writeText(source?.textContent ?? "").then(() => { button.textContent = "Copied"; });
    });
  }
}
