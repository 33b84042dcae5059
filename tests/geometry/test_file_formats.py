"""The table of readers: what is in it, what it costs to look at, and that the interfaces read it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from fettle.cli import analyze, convert, info, quote, report
from fettle.errors import NotThatFormat
from fettle.geometry.file_formats import EXTENSIONS, HTTP_EXTENSIONS, READERS, identify


def test_the_api_takes_step_and_gltf_in_the_order_of_its_contract() -> None:
    assert HTTP_EXTENSIONS == (".step", ".stp", ".gltf", ".glb")
    assert EXTENSIONS[:4] == HTTP_EXTENSIONS


def test_every_extension_and_media_type_belongs_to_one_format() -> None:
    assert len(set(EXTENSIONS)) == sum(len(row.extensions) for row in READERS)
    assert len({row.media_type for row in READERS}) == len({row.name for row in READERS}) == len(READERS)
    assert all(extension == extension.lower() and extension.startswith(".") for extension in EXTENSIONS)


def test_looking_at_the_table_loads_neither_kernel_nor_numerical_libraries() -> None:
    code = "import fettle.geometry.file_formats, sys; print({'OCP', 'numba', 'numpy', 'scipy'} & set(sys.modules))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "set()"


@pytest.mark.parametrize("command", [analyze, convert, info, quote, report], ids=lambda module: module.__name__)
def test_help_names_every_extension(command: object) -> None:
    shown = CliRunner().invoke(command.app, ["--help"]).stdout  # type: ignore[attr-defined]
    assert not [extension for extension in EXTENSIONS if extension not in shown]


@pytest.mark.parametrize("row", READERS, ids=lambda row: row.name)
def test_prose_is_of_no_format_and_not_quoted(row: object) -> None:
    extension = row.extensions[0]  # type: ignore[attr-defined]
    with pytest.raises(NotThatFormat, match=f"^a{extension} is not a") as refused:
        identify(b"To whom it may concern", f"a{extension}")
    assert "concern" not in str(refused.value)
