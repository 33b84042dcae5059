"""Plan of a part that is cut from sheet and bent."""
