// Optional enhancements of pages without a viewer; the pages work without them.

import { mountCopyButtons } from "./pages/copy";
import { mountDropZone } from "./pages/drop";
import { mountLineLinks } from "./pages/lines";
import { mountLiveForm } from "./pages/live";
import { mountMaking } from "./pages/making";
import { mountOwnPacks } from "./pages/own-packs";
import { mountWatch } from "./pages/watch";

mountCopyButtons();
mountDropZone();
mountLineLinks();
mountLiveForm();
mountMaking();
mountOwnPacks();
mountWatch();
