// A job under way: its log lines as they come, then the finished page.

export function mountWatch(): void {
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
      window.location.reload();
    }
  });
}
