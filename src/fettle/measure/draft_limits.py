"""Default angles of draft, in a module that loads no library: command line and HTTP forms show them."""

ALPHA_MIN_DEG = 0.5
"""Default undercut threshold: a point turned back from the pull by more than this is an undercut."""
ALPHA_WARN_DEG = 3.0
"""Default low-draft threshold: a face with less draft than this has low draft."""
