"""Plan of a part cast in sand: pattern, cores, molds, metal and fettling."""
