// The drop zone: a plain file form that also takes dropped files, several too, and shows how far the upload is.

type Answer = { location?: string; error?: string };

export function mountDropZone(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-drop]");
  const input = form?.querySelector<HTMLInputElement>("input[type=file]");
  const bar = form?.querySelector<HTMLProgressElement>("progress");
  const status = form?.querySelector<HTMLElement>("[role=status]");
  if (!form || !input || !bar || !status) return;

  // Without this script the form takes one file.
  input.multiple = true;
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
    void sendAll([...(input.files ?? [])], form, bar, status);
  });
}

/** Uploads the files one after the other; one leads to its page, several to the list. What is refused is said. */
async function sendAll(files: readonly File[], form: HTMLFormElement, bar: HTMLProgressElement, status: HTMLElement): Promise<void> {
  const limit = Number(form.dataset["limit"]);
  const refused: string[] = [];
  let last: string | null = null;
  status.classList.remove("error-text");
  for (const file of files) {
    const answer = file.size > limit
      ? { error: `${file.name} has ${megabytes(file.size)}; the limit is ${megabytes(limit)}. Nothing was uploaded.` }
      : await send(file, form, bar, status);
    if (answer.location) last = answer.location;
    else refused.push(files.length > 1 && !answer.error?.includes(file.name) ? `${file.name}: ${answer.error}` : answer.error ?? "");
  }
  bar.hidden = true;
  if (refused.length > 0) {
    status.textContent = refused.join(" ");
    status.classList.add("error-text");
  } else if (last) window.location.assign(files.length === 1 ? last : form.action);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
}

/** XMLHttpRequest, because fetch tells nothing about the progress of an upload. */
function send(file: File, form: HTMLFormElement, bar: HTMLProgressElement, status: HTMLElement): Promise<Answer> {
  const request = new XMLHttpRequest();
  request.open("POST", form.action);
  request.setRequestHeader("Accept", "application/json");
  request.setRequestHeader("X-CSRF-Token", form.dataset["csrf"] ?? "");
  request.upload.addEventListener("progress", (event) => {
    bar.hidden = false;
    bar.max = event.total;
    bar.value = event.loaded;
    status.textContent = event.loaded < event.total ? `Uploading ${file.name}…` : `Checking ${file.name}…`;
  });
  const body = new FormData(form);
  body.set("file", file);
  return new Promise((resolve) => {
    request.addEventListener("load", () => {
      const answer = JSON.parse(request.responseText) as Answer;
      resolve(answer.location || answer.error ? answer : { error: `the service answered ${request.status}` });
    });
    request.addEventListener("error", () => resolve({ error: "The connection was lost; nothing was counted. Try again." }));
    request.send(body);
  });
}
