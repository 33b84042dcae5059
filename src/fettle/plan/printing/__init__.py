"""Plan of a printed part: platform, build time, supports and work after it."""
