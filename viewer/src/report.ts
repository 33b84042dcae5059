// A report file: result and models are embedded in the page, gzipped and base64-encoded, because a page opened from disk
// may not fetch anything.

import type { AnalysisResult } from "./result";
import { ResultView } from "./result-view";

export async function openReport(root: HTMLElement): Promise<ResultView> {
  const result = JSON.parse(new TextDecoder().decode(await embedded("result"))) as AnalysisResult;
  const resultView = new ResultView(root, result, embedded);
  await resultView.start();
  return resultView;
}

async function embedded(name: string): Promise<ArrayBuffer> {
  const text = document.getElementById(`data-${name}`)?.textContent;
  if (!text) throw new Error(`the report carries no ${name}`);
  const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}
