"""Features of a part: `recognize(part)` names every face and lists every feature with its dimensions."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fettle.recognize.recognition import recognize

__all__ = ["recognize"]


def __getattr__(name: str) -> Any:
    """Whoever only needs the types of `feature` (the rules, the API) does not load the recognizers' libraries."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("fettle.recognize.recognition"), name)
