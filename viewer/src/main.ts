// Mounts the viewer where a page has room for it: `#analysis` in the dashboard, `#report` in a report from disk.

import { AnalysisPage } from "./analysis";
import { openReport } from "./report";
import type { Workbench } from "./workbench";

declare global {
  interface Window {
    /** What the page shows, for tests and for pages that embed it. */
    fettle?: Workbench;
  }
}

const analysis = document.getElementById("analysis");
const report = document.getElementById("report");

try {
  if (analysis) window.fettle = (await AnalysisPage.open(analysis)).workbench;
  if (report) window.fettle = await openReport(report);
} catch (error) {
  const place = analysis ?? report;
  if (place) place.textContent = `The 3D view could not be shown: ${error instanceof Error ? error.message : String(error)}`;
  throw error;
}
