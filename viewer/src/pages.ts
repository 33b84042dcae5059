// What plain pages gain from a script; without it they still work.

import { mountCopyButtons } from "./pages/copy";

mountCopyButtons();
