"""Tolerances that recognizers share. What one recognizer alone compares with is defined in its own module."""

from __future__ import annotations

import math

SAME_LENGTH_MM = 1e-3
"""Surfaces closer than this are one surface: the tolerance at which the reader turns splines into exact surfaces."""
LOOSE_LENGTH_MM = 1e-2
"""Axes and radii closer than this belong together, where one of them was fitted or drawn a second time."""
SAME_ANGLE_DEG = 0.1
"""Directions and slopes closer than this are one: ten times what modelers write, a tenth of the least draft."""
SAME_ANGLE_SIN = math.sin(math.radians(SAME_ANGLE_DEG))
SAME_ANGLE_COS = math.cos(math.radians(SAME_ANGLE_DEG))
COAXIAL_COS = 1 - 1e-5
"""Axes within 0.26 degrees are parallel: twice the tolerance of directions, as either may be off by it."""
ALONG_COS = 0.99
"""What leans less than 8 degrees from an axis runs along it: more than any draft, less than any taper."""
SAME_SIDE_COS = math.cos(math.radians(10.0))
"""Directions within 10 degrees are one side of a part; walls as close to antiparallel face one another."""
SAME_SIDE_SIN = math.sin(math.radians(10.0))
"""A wall within 10 degrees of an axis is upright along it; sides of an outline that turn by less run on smoothly."""
HALF_RIGHT_COS = math.cos(math.radians(45.0))
"""A direction closer than 45 degrees to another is nearer to it than to anything square to it."""
ACROSS_COS = 0.5
"""A plane whose normal is within 60 degrees of an axis lies across it, others along it."""
FULL_DEG = 350.0
"""An arc of this much is a full circle: seams and specks of other cuts may take the rest."""
OPENED_DEG = 270.0
"""Least arc of a round wall that slots or ribs have opened."""
LEAST_OVERLAP = 0.5
"""Opposite walls belong together where this share of the smaller lies opposite the larger."""
ROUNDING = 1e-6
"""Lengths in mm, and shares of a size, below this are differences of rounding."""
ZERO = 1e-9
"""Lengths and divisors below this are nothing."""
LEAST_FITTED_SIZE = 2.5e-3
"""Smallest recess of a mesh part, as a share of its diagonal: facets that no surface fits leave such gaps."""
