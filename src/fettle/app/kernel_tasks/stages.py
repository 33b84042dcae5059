"""The stages of an analysis: the line each begins with, and how far the job then is."""

from __future__ import annotations

READING = "Reading the file."
REFINING = "Refining the mesh."
MEASURING = "Measuring and recognizing."
TURNING = "Turning the pull direction."
JUDGING = "Judging by the shipped modules."
WRITING = "Writing the result."
SAVING = "Saving the files."
CACHED = "This input was analyzed before; its result is used again."

STAGES = {
    READING: "read",
    REFINING: "refine",
    MEASURING: "measure",
    TURNING: "turn_pull",
    JUDGING: "judge",
    WRITING: "write",
    SAVING: "save",
    CACHED: "cached",
}
"""Names of the stages in metrics."""

PROGRESS = {
    READING: 0.05,
    REFINING: 0.3,
    MEASURING: 0.4,
    TURNING: 0.3,
    JUDGING: 0.8,
    WRITING: 0.85,
    SAVING: 0.95,
    CACHED: 0.9,
}
"""Shares of the whole, 0..1, roughly as the time goes on parts of a few hundred faces."""
