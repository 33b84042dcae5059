"""`fettle --install-completion`: the commands completed by the Tab key in bash, zsh and fish, then file names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

SHELLS = ("bash", "zsh", "fish")


def install(commands: Mapping[str, str], shell: str | None, home: Path) -> str:
    """Write the script where the shell looks for it; says where it is and from when on it holds.

    `commands`: one line of help by name. `shell`: None for the one that SHELL names.
    """
    name = shell or Path(os.environ.get("SHELL", "")).name
    if name not in SHELLS:
        named = f"{name!r} is not supported" if name else "SHELL is not set"
        raise ValueError(f"{named}; name one: fettle --install-completion {'|'.join(SHELLS)}")
    place = (
        home
        / {
            "bash": ".local/share/bash-completion/completions/fettle",
            "zsh": ".zfunc/_fettle",
            "fish": ".config/fish/completions/fettle.fish",
        }[name]
    )
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(script(commands, name), encoding="utf-8")
    also = " Have `fpath+=~/.zfunc` before `compinit` in ~/.zshrc." if name == "zsh" else ""
    return f"wrote {place}; it holds in new shells.{also}"


def script(commands: Mapping[str, str], shell: str) -> str:
    """The completion of the first word by commands, of all others by files."""
    if shell == "bash":
        return (
            "_fettle() {\n"
            '    local word="${COMP_WORDS[COMP_CWORD]}"\n'
            '    if [ "$COMP_CWORD" -eq 1 ]; then\n'
            f'        COMPREPLY=($(compgen -W "{" ".join(commands)} --help --version" -- "$word"))\n'
            "    else\n"
            '        COMPREPLY=($(compgen -f -- "$word"))\n'
            "    fi\n"
            "}\n"
            "complete -o filenames -F _fettle fettle\n"
        )
    if shell == "zsh":
        described = "\n".join(f"        '{name}:{_unquoted(text)}'" for name, text in commands.items())
        return (
            "#compdef fettle\n"
            "_fettle() {\n"
            "    local -a commands=(\n"
            f"{described}\n"
            "    )\n"
            "    if (( CURRENT == 2 )); then _describe command commands; else _files; fi\n"
            "}\n"
            '_fettle "$@"\n'
        )
    first = "__fish_use_subcommand"
    return "".join(
        f"complete -c fettle -n {first} -f -a {name} -d '{_unquoted(text)}'\n" for name, text in commands.items()
    )


def _unquoted(text: str) -> str:
    return text.replace("'", "").replace(":", ",")
