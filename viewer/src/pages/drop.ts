// The drop zone: a plain file form that also takes a dropped file and shows how far the upload is.

export function mountDropZone(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-drop]");
  const input = form?.querySelector<HTMLInputElement>("input[type=file]");
  const bar = form?.querySelector<HTMLProgressElement>("progress");
  const status = form?.querySelector<HTMLElement>("[role=status]");
  if (!form || !input || !bar || !status) return;

  for (const type of ["dragenter", "dragover"]) {
    form.addEventListener(type, (event) => { event.preventDefault(); form.classList.add("over"); });
  }
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    const files = event.dataTransfer?.files;
    if (!files || files.length === 0) return;
    input.files = files;
    form.requestSubmit();
  });
  input.addEventListener("change", () => form.requestSubmit());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form, bar, status);
  });
}

/** XMLHttpRequest, because fetch tells nothing about the progress of an upload. */
function send(form: HTMLFormElement, bar: HTMLProgressElement, status: HTMLElement): void {
  const request = new XMLHttpRequest();
  request.open("POST", form.action);
  request.setRequestHeader("Accept", "application/json");
  request.setRequestHeader("X-CSRF-Token", form.dataset["csrf"] ?? "");
  request.upload.addEventListener("progress", (event) => {
    bar.hidden = false;
    bar.max = event.total;
    bar.value = event.loaded;
    status.textContent = event.loaded < event.total ? "Uploading…" : "Checking the file…";
  });
  request.addEventListener("load", () => {
    const answer = JSON.parse(request.responseText) as { location?: string; error?: string };
    if (answer.location) window.location.assign(answer.location);
    else refuse(answer.error ?? `the service answered ${request.status}`);
  });
  request.addEventListener("error", () => refuse("The connection was lost; nothing was counted. Try again."));
  const refuse = (text: string): void => {
    bar.hidden = true;
    status.textContent = text;
    status.classList.add("error-text");
  };
  request.send(new FormData(form));
}
