"""How well a part suits each manufacturing process: `measure_fit` gives a value from 0 to 1 and its reason."""

from fettle.fit.processes import measure_fit
from fettle.fit.terms import Fit

__all__ = ["Fit", "measure_fit"]
