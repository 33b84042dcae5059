"""How well a part suits each manufacturing process: `measure_fit` gives a value from 0 to 1 and its reason."""

from fettle.fit.processes import PROCESSES, find_fault, measure_fit
from fettle.fit.terms import Fit

__all__ = ["PROCESSES", "Fit", "find_fault", "measure_fit"]
