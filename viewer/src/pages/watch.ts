// A job under way: its log lines as they come, then the finished page in place of this one.

/** `mount` brings the content of a page to life. */
export function mountWatch(mount: () => void): void {
  const list = document.querySelector<HTMLElement>("[data-events]");
  if (!list) return;
  const bar = document.querySelector<HTMLProgressElement>("progress[data-job-progress]");
  const word = document.querySelector<HTMLElement>("[data-job-status]");
  const source = new EventSource(list.dataset["events"]!);
  source.addEventListener("log", (event) => {
    const line = document.createElement("li");
    line.textContent = (event as MessageEvent<string>).data;
    list.append(line);
  });
  source.addEventListener("status", (event) => {
    const { status, progress } = JSON.parse((event as MessageEvent<string>).data) as { status: string; progress: number };
    if (bar) bar.value = progress;
    if (word) word.textContent = status;
    if (status === "done" || status === "error") {
      source.close();
      replacePage().then(mount, () => window.location.reload());
    }
  });
}

/** Fetches this page anew and shows its content: faster than a reload, which reads styles and scripts again. */
async function replacePage(): Promise<void> {
  const answer = await fetch(window.location.href, { headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [old, fresh] = [document.querySelector("main"), page.querySelector("main")];
  if (!answer.ok || !old || !fresh) throw new Error(`the page of the analysis answered ${answer.status}`);
  document.title = page.title;
  document.body.className = page.body.className;
  old.replaceWith(document.adoptNode(fresh));
  // So that a screen reader says that there is something new.
  fresh.tabIndex = -1;
  fresh.focus({ preventScroll: true });
}
