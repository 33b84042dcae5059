// The viewer's script, started once the page is painted: the headline does not wait for it.

export function mountViewer(): void {
  const place = document.querySelector<HTMLElement>("[data-viewer]");
  // The first call comes before a frame is painted, the second after it.
  if (place) requestAnimationFrame(() => requestAnimationFrame(() => void import(place.dataset["viewer"]!)));
}
