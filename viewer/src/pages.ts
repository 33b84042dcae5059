// Optional enhancements of pages; the pages work without them, all but the 3D view.

import { mountCopyButtons } from "./pages/copy";
import { mountDropZone } from "./pages/drop";
import { mountLineLinks } from "./pages/lines";
import { mountLiveForm } from "./pages/live";
import { mountMaking } from "./pages/making";
import { mountOwnPacks } from "./pages/own-packs";
import { mountViewer } from "./pages/viewer";
import { mountWatch } from "./pages/watch";

function mountContent(): void {
  mountCopyButtons();
  mountDropZone();
  mountLineLinks();
  mountLiveForm();
  mountMaking();
  mountOwnPacks();
  mountViewer();
  mountWatch(mountContent);
}

mountContent();
