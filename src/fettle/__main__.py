"""`python -m fettle` is the `fettle` command."""

from fettle.cli import main

main()
