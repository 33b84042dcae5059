// Entry point: mounts the viewer at `#analysis` or `#compare` in the dashboard, or at `#report` in a report file.

import { AnalysisPage } from "./analysis";
import { ComparisonView } from "./comparison";
import { openReport } from "./report";
import type { ResultView } from "./result-view";

declare global {
  interface Window {
    /** The viewer of this page, for tests and for embedding pages. */
    fettle?: ResultView | ComparisonView;
  }
}

const analysis = document.getElementById("analysis");
const report = document.getElementById("report");
const compared = document.getElementById("compare");

try {
  if (analysis) window.fettle = (await AnalysisPage.open(analysis)).resultView;
  if (compared) window.fettle = await ComparisonView.open(compared);
  if (report) window.fettle = await openReport(report);
} catch (error) {
  const place = analysis ?? report ?? compared;
  if (place) place.textContent = `The 3D view could not be shown: ${error instanceof Error ? error.message : String(error)}`;
  throw error;
}
