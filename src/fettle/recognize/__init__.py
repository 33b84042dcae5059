"""Features of a part: `recognize(part)` names every face and lists every feature with its dimensions."""

from fettle.recognize.recognition import recognize

__all__ = ["recognize"]
