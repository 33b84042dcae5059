"""A quick look whether a STEP file holds PMI, and how a file is marked whose PMI is to be left out."""

from __future__ import annotations

_MARKS = (
    b"_TOLERANCE",
    b"DIMENSIONAL_CHARACTERISTIC_REPRESENTATION",
    b"DATUM",
    b"DRAUGHTING_CALLOUT",
    b"semantic text",
)
"""Words of which every file with PMI has one."""
_LEFT_OUT = b"\n/* dimensions and tolerances left out: reading them ended the geometry kernel */\n"
"""Comment of ISO 10303-21 behind the end of a file."""


def has_pmi(text: bytes) -> bool:
    """Whether the file may hold PMI that is to be read: a look for a few words, much faster than reading it."""
    return not is_left_out(text) and any(mark in text for mark in _MARKS)


def leave_out(text: bytes) -> bytes:
    """The file, marked so that its PMI is not read."""
    return text + _LEFT_OUT


def is_left_out(text: bytes) -> bool:
    """Whether `leave_out` marked the file."""
    return text.endswith(_LEFT_OUT)
