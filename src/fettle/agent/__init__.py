"""Tools for AI agents (Model Context Protocol): analyze, explain, change the pull, judge by own rules, price, compare.

The same tools run on a bench of local files (`fettle agent`, over standard input and output) and on the jobs of an
account (over HTTP at `/agent`). Answers are short; what is longer has a handle or an offset to ask for more.
"""

from fettle.agent.tools import create_server

__all__ = ["create_server"]
