// A report opened from disk: result and models are in the page itself, gzipped and base64-coded, because a page from
// disk may fetch nothing.

import type { AnalysisResult } from "./result";
import { Workbench } from "./workbench";

export async function openReport(root: HTMLElement): Promise<Workbench> {
  const result = JSON.parse(new TextDecoder().decode(await embedded("result"))) as AnalysisResult;
  const workbench = new Workbench(root, result, embedded);
  await workbench.start();
  return workbench;
}

async function embedded(name: string): Promise<ArrayBuffer> {
  const text = document.getElementById(`data-${name}`)?.textContent;
  if (!text) throw new Error(`the report carries no ${name}`);
  const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}
