"""`fettle --install-completion`: the shells themselves are asked what they complete."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fettle.cli import COMMANDS
from fettle.cli.completion import SHELLS, install, script

HELP = {name: text for name, (_, text) in COMMANDS.items()}


def test_bash_completes_commands_and_then_files(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash")
    (tmp_path / "part.step").touch()
    install(HELP, "bash", tmp_path)
    asked = (
        f"source {tmp_path}/.local/share/bash-completion/completions/fettle; cd {tmp_path}; "
        "COMP_WORDS=(fettle ana); COMP_CWORD=1; _fettle; echo ${COMPREPLY[@]}; "
        "COMP_WORDS=(fettle analyze pa); COMP_CWORD=2; _fettle; echo ${COMPREPLY[@]}"
    )
    said = subprocess.run([bash, "--norc", "-c", asked], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["analyze", "part.step"]


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_is_in_every_script(shell: str) -> None:
    text = script(HELP, shell)
    assert [name for name in COMMANDS if name not in text] == []


def test_the_command_writes_it_and_an_unknown_shell_is_refused(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "fettle", "--install-completion"]
    environment = {**os.environ, "HOME": str(tmp_path), "SHELL": "/usr/bin/fish"}
    assert subprocess.run(command, env=environment, check=False).returncode == 0
    assert (tmp_path / ".config/fish/completions/fettle.fish").is_file()
    refused = subprocess.run([*command, "tcsh"], env=environment, capture_output=True, text=True, check=False)
    assert (refused.returncode, "bash|zsh|fish" in refused.stderr) == (2, True)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_looks_alike(command: str) -> None:
    """Plain text without frames; completion is installed by `fettle` itself, not by a group."""
    app = import_module(COMMANDS[command][0]).app
    text = CliRunner().invoke(app, ["--help"]).output
    assert "Usage: " in text
    assert "│" not in text
    assert "--install-completion" not in text
