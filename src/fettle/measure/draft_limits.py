"""Angles of draft, in a module that loads no library: command line, HTTP forms and rules read them."""

ALPHA_MIN_DEG = 0.5
"""Default undercut threshold: a point turned back from the pull by more than this is an undercut."""
ALPHA_WARN_DEG = 3.0
"""Default low-draft threshold: a face with less draft than this has low draft."""
STEEP_DEG = 45.0
"""Walls within this angle of the pull need draft; flatter ones are floors and tops."""
