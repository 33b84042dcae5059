// The menu of pull directions: the field for another direction is shown where it is chosen.

export function mountPullMenu(): void {
  const menu = document.querySelector<HTMLSelectElement>("#pull");
  const typed = document.querySelector<HTMLInputElement>("#pull-custom");
  if (!menu || !typed) return;
  const update = (): void => {
    typed.hidden = menu.value !== "other";
    typed.required = !typed.hidden;
  };
  menu.addEventListener("change", update);
  update();
}
