"""The command line. A command group is a file of this package with a typer `app`, and a line in `COMMANDS`.

The table is all that `fettle --help` needs: a group is imported, and typer with it, only when it is called.
"""

from __future__ import annotations

import difflib
import sys
from importlib import import_module
from pathlib import Path

from fettle import __version__
from fettle.geometry.file_formats import READERS
from fettle.startup import load

COMMANDS = {
    "analyze": ("fettle.cli.analyze", "whether parts can be made: findings with face, rule, value and limit"),
    "info": ("fettle.cli.info", "what a part file holds: volume, area, box, bodies, units, warnings"),
    "convert": ("fettle.cli.convert", "a part file as GLB, for any 3D viewer"),
    "unfold": ("fettle.cli.unfold", "the flat pattern of a sheet part: size, bend table, DXF or SVG"),
    "quote": ("fettle.cli.quote", "what a part costs by the best process, or by the one named"),
    "processes": ("fettle.cli.processes", "what every process would cost, ranked, and where another is cheaper"),
    "calibrate": ("fettle.cli.calibrate", "learn factors on times or prices from a shop's past jobs"),
    "report": ("fettle.cli.report", "a report to send: one HTML file with the part in 3D, or a PDF"),
    "diff": ("fettle.cli.diff", "what changed between two revisions: faces, features, findings, price"),
    "rules": ("fettle.cli.rules", "rule modules: list, show, check, test and explain them"),
    "agent": ("fettle.cli.agent", "tools for AI agents, over standard input and output"),
    "serve": ("fettle.cli.serve", "the service on this machine: API, workers, dashboard"),
    "worker": ("fettle.cli.worker", "more workers on the same database and storage"),
    "accounts": ("fettle.cli.accounts", "accounts: give one a new password, delete one with all it left"),
    "keys": ("fettle.cli.keys", "API keys: make, list and revoke them"),
    "usage": ("fettle.cli.usage", "meters of an account: show or set them"),
    "db": ("fettle.cli.db", "the database: bring its tables to the newest step"),
    "jobs": ("fettle.cli.jobs", "for operators: list jobs"),
    "audit": ("fettle.cli.audit", "for operators: who signed in, which keys, plans and accounts changed"),
    "doctor": ("fettle.cli.doctor", "check this installation: versions, database, store, kernel, disk"),
    "prune": ("fettle.cli.prune", "remove what has been kept long enough, or say what would be"),
    "backup": ("fettle.cli.backup", "save the database and its files into one archive, while the service runs"),
    "restore": ("fettle.cli.restore", "bring a backup back, into an empty database of either kind"),
}
"""Name: module and one line of help."""

ON_PART_FILES = ("analyze", "info", "convert", "unfold", "quote", "processes", "report", "diff")
"""Commands that use the loaded kernel of a running service, where there is one."""


def main() -> None:
    """Entry point of the `fettle` command."""
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("--help", "-h"):
        sys.stdout.write(_help())
    elif arguments[0] == "--version":
        sys.stdout.write(f"fettle {__version__}\n")
    elif arguments[0] == "--install-completion":
        _install_completion(arguments[1] if len(arguments) > 1 else None)
    elif arguments[0] in COMMANDS:
        app = load(COMMANDS[arguments[0]][0]).app
        if arguments[0] in ON_PART_FILES:
            import_module("fettle.cli.warm_start").use_helper()
        app(args=arguments[1:], prog_name=f"fettle {arguments[0]}")
    else:
        sys.stderr.write(_unknown(arguments[0]))
        sys.exit(2)


def _install_completion(shell: str | None) -> None:
    completion = import_module("fettle.cli.completion")
    try:
        done = completion.install({name: text for name, (_, text) in COMMANDS.items()}, shell, Path.home())
    except (ValueError, OSError) as error:
        sys.stderr.write(f"fettle: {error}\n")
        sys.exit(2)
    sys.stdout.write(f"{done}\n")


def _help() -> str:
    width = max(map(len, COMMANDS))
    formats = ", ".join(row.name for row in READERS)
    lines = [f"  {name:<{width}}  {text}" for name, (_, text) in COMMANDS.items()]
    return "\n".join(
        [
            f"Fettle takes a part file ({formats}) and says what it is, whether it can be made, and what it costs.",
            "",
            "Usage: fettle COMMAND [ARGUMENTS]",
            "",
            *lines,
            "",
            "fettle COMMAND --help tells more.  fettle --version tells the version.",
            "fettle --install-completion [bash|zsh|fish] completes commands with the Tab key.",
            "Exit codes: 0 fine, 1 findings or refused input, 2 wrong usage or missing file, 3 some not analyzed.",
            "",
        ]
    )


def _unknown(name: str) -> str:
    close = difflib.get_close_matches(name, COMMANDS, n=1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(COMMANDS)}"
    return f"fettle: no command {name[:60]!r}; {hint}\n"
