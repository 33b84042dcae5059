"""Kernel task of `fettle analyze`: one file, from its bytes to the text that is printed.

Importing this module imports the kernel; it is called through `answers`, by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fettle.app.kernel_tasks.file_analysis import check_options, encode_file
from fettle.app.options import Bounds, JobOptions, ModuleChoice
from fettle.cli.answers import Answer, AnswerRequest
from fettle.cli.outcome import Outcome
from fettle.cli.write_answer import AnswerWriter
from fettle.errors import FettleError


def answer_file(
    data: bytes,
    file: str,
    filename: str,
    options: JobOptions,
    bounds: Bounds,
    input_sha256: str,
    asked: Sequence[ModuleChoice],
    request: AnswerRequest,
    *,
    say: Callable[[str], None],
) -> Answer:
    """Raises BadRequest for impossible options and for a baseline that is none; a refused part is an answer."""
    check_options(options, asked)
    writer = AnswerWriter(request)
    try:
        encoded = encode_file(data, filename, options, bounds, input_sha256, asked, say=say)
        outcome = Outcome(file, result=encoded.result, as_json=encoded.shown)
    except FettleError as error:
        outcome = Outcome(file, error=error)
    return writer.write([outcome])
