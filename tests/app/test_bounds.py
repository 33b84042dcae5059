"""How large a part may be, and what the refusal tells."""

from __future__ import annotations

import pytest

from fettle.app.kernel_tasks.size_limits import check_bounds, check_envelope
from fettle.app.options import Bounds
from fettle.errors import OutOfBounds

ENVELOPE = (300.0, 195.0, 290.0)
BOUNDS = Bounds(min_side_mm=0.01, max_side_mm=3000.0)


@pytest.mark.parametrize("size", [(300, 195, 290), (195, 290, 300), (300.01, 195.01, 290.01), (1, 1, 300)])
def test_a_part_fits_in_any_axis_aligned_orientation(size: tuple[float, ...]) -> None:
    check_envelope(size, ENVELOPE, "STEP")


@pytest.mark.parametrize("size", [(300.02, 1, 1), (200, 200, 200), (291, 291, 1)])
def test_a_part_that_fits_in_none_is_refused(size: tuple[float, ...]) -> None:
    with pytest.raises(OutOfBounds, match="300 x 195 x 290 mm"):
        check_envelope(size, ENVELOPE, "STEP")


@pytest.mark.parametrize("size", [(3000, 3000, 3000), (0.01, 1, 1)])
def test_bounds_of_an_analysis_are_inclusive(size: tuple[float, ...]) -> None:
    check_bounds(size, BOUNDS, "STEP")


@pytest.mark.parametrize(("size", "says"), [((3000.1, 1, 1), "longer than 3000"), ((0.009, 1, 1), "shorter than 0.01")])
def test_beyond_them_it_is_refused(size: tuple[float, ...], says: str) -> None:
    with pytest.raises(OutOfBounds, match=says):
        check_bounds(size, BOUNDS, "STEP")


def test_a_gltf_that_would_fit_in_millimeters_is_told_so() -> None:
    for check in (lambda f: check_envelope((60_000, 40_000, 30_000), ENVELOPE, f),
                  lambda f: check_bounds((60_000, 40_000, 30_000), BOUNDS, f)):  # fmt: skip
        with pytest.raises(OutOfBounds, match="units=mm"):
            check("GLB")
        with pytest.raises(OutOfBounds) as refused:
            check("STEP")
        assert "units" not in str(refused.value)
    with pytest.raises(OutOfBounds) as refused:
        check_envelope((900_000, 1, 1), ENVELOPE, "glTF")
    assert "units" not in str(refused.value)
