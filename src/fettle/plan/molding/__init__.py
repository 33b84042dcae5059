"""Plan of an injection molded part: the mold, the press and the cycle."""
