"""Several files for `fettle analyze`: each in a kernel child of its own, several at a time, and one answer for all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from fettle.app.command_settings import command_settings
from fettle.app.isolation.sandbox import preload, run
from fettle.app.kernel_tasks.child_module import CHILD_MODULE
from fettle.app.kernel_tasks.tasks import CHECK_OPTIONS
from fettle.app.options import JobOptions, ModuleChoice
from fettle.cli.analyze_file import judge_file
from fettle.cli.answers import Answer, AnswerRequest
from fettle.cli.outcome import Outcome
from fettle.cli.progress import Progress
from fettle.cli.write_answer import AnswerWriter
from fettle.errors import FettleError

WARM_FROM = 2
"""With more files than this it pays to warm the kernel up before its children are forked."""


def answer_files(
    sources: Sequence[tuple[str, str, bytes]],
    options: JobOptions,
    asked: Sequence[ModuleChoice],
    request: AnswerRequest,
    progress: Progress,
) -> Answer:
    """`sources`: path as given, name and content. Raises BadRequest for impossible options and for a baseline that is
    none."""
    run(CHECK_OPTIONS, (options, asked), command_settings().kernel_limits)
    writer = AnswerWriter(request)
    if len(sources) > WARM_FROM:
        preload(CHILD_MODULE)
    with ThreadPoolExecutor(min(len(sources), os.cpu_count() or 1)) as pool:
        waiting = [pool.submit(_inspect, *source, options, asked, progress) for source in sources]
        return writer.write([one.result() for one in waiting])


def answer_error(file: str, error: FettleError, request: AnswerRequest) -> Answer:
    """The answer where the child of the one file has died."""
    return AnswerWriter(request).write([Outcome(file, error=error)])


def _inspect(
    file: str, name: str, data: bytes, options: JobOptions, asked: Sequence[ModuleChoice], progress: Progress
) -> Outcome:
    """One file in a kernel child of its own."""

    def say(line: str) -> None:
        progress.say(file, line)

    try:
        return Outcome(file, result=judge_file(name, data, options, asked, say, alone=False))
    except FettleError as error:
        return Outcome(file, error=error)
    finally:
        progress.done(file)
