"""Runs the fenced blocks of a page of the documentation, in order, in one folder and one namespace."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from fettle.cli import COMMANDS, main
from fettle.geometry.csg import build
from tests.parts import BLOCK, DRILLED
from tests.recognize.sheets import strip

DOCS = Path(__file__).parents[2] / "docs"
BLOCK_OF = re.compile(r"^ *```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"`([\w.-]+\.yaml)`:\s*\Z")
LASTING = ("serve", "worker", "agent")
"""Commands that do not end by themselves: their options are looked up in their help instead."""


def prepare(folder: Path) -> None:
    """Writes the parts that the pages name, and links the sources that the pages for contributors name."""
    (folder / "src").symlink_to(DOCS.parent / "src")
    (folder / "bracket.step").write_bytes(build(BLOCK))
    (folder / "bracket-b.step").write_bytes(build(DRILLED))
    (folder / "channel.step").write_bytes(build(strip([46, 92, 46], [90, 90], 2, 2, 40)))


def run_page(name: str, monkeypatch: pytest.MonkeyPatch, folder: Path) -> int:
    """Run every block of the page; returns how many there were."""
    text = (DOCS / name).read_text(encoding="utf-8")
    namespace: dict[str, Any] = {}
    count = 0
    for found in BLOCK_OF.finditer(text):
        language, code = found[1], textwrap.dedent(found[2])
        count += 1
        if language == "python":
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(code, name, "exec"), namespace)
        elif language == "sh":
            for line in code.splitlines():
                run_command(line, monkeypatch, folder)
        elif language == "bash":
            subprocess.run(["bash", "-euc", code], cwd=folder, check=True, capture_output=True)
        elif language == "yaml":
            named = NAMED.search(text[: found.start()])
            assert named, f"{name}: a YAML block needs the name of its file before it"
            (folder / named[1]).write_text(code, encoding="utf-8")
        else:
            pytest.fail(f"{name}: a block of {language!r} cannot be run")
    return count


def run_command(line: str, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    words = shlex.split(line)
    output = None
    if ">" in words:
        words, (output,) = words[: words.index(">")], words[words.index(">") + 1 :]
    assert words[0] == "fettle"
    if words[1] in LASTING:
        help_text = invoke(["fettle", words[1], "--help"], monkeypatch)
        missing = [word for word in words if word.startswith("--") and word not in help_text]
        assert not missing, f"{line}: no such option"
        return
    printed = invoke(words, monkeypatch)
    if output:
        (folder / output).write_text(printed, encoding="utf-8")


def invoke(words: list[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """What the command prints; it must end with 0, or with 1 where findings are what it is for."""
    assert words[1] in COMMANDS
    monkeypatch.setattr(sys, "argv", words)
    code: object = 0
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
    allowed = (0, 1) if words[1] == "diff" else (0,)
    assert code in allowed, f"{' '.join(words)} ended with {code}: {printed.getvalue()[-500:]}"
    return printed.getvalue()
