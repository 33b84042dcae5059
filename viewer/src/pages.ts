// What plain pages gain from a script; without it they still work.

import { mountCopyButtons } from "./pages/copy";
import { mountDropZone } from "./pages/drop";
import { mountLineLinks } from "./pages/lines";
import { mountWatch } from "./pages/watch";

mountCopyButtons();
mountDropZone();
mountLineLinks();
mountWatch();
