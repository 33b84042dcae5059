"""The error tree. Every error says what, where, the value, and what to do.

FettleError
├── InputRefused            the file was read and found unusable; the text says why and what to try
│   ├── NotThatFormat       the bytes are not of the format that the name promises
│   ├── Damaged             truncated, corrupt or inconsistent
│   ├── NoSolid             nothing in it encloses a volume
│   ├── Unsupported         needs something we do not read (a required extension, external buffers)
│   └── OutOfBounds         too large, too small, or coordinates that no part has
├── BadRequest              an option or a parameter is wrong (a pull vector, a unit, a rule module)
│   └── InvalidModule       a rule module breaks its schema; carries every fault
├── CatalogFault            a data file of the operator's (materials, rates, plans, packs) is wrong
├── TooDetailed             the mesh would pass the triangle cap; ask for a coarser one
└── KernelFailure           the geometry kernel did not come back with an answer
    ├── KernelCrashed       its process died (a segfault, or somebody killed it)
    │   └── KernelKilled    by a signal from outside, so that another try may well succeed
    ├── KernelTimedOut      it passed its wall or CPU limit
    └── KernelOutOfMemory   it passed its memory limit
"""

from __future__ import annotations

from dataclasses import dataclass


class FettleError(Exception):
    """Root of the tree. `code` is the stable word that machines read."""

    code = "error"


class InputRefused(FettleError):
    code = "input_refused"


class NotThatFormat(InputRefused):
    code = "not_that_format"


class Damaged(InputRefused):
    code = "damaged_file"


class NoSolid(InputRefused):
    code = "no_solid"


class Unsupported(InputRefused):
    code = "unsupported_content"


class OutOfBounds(InputRefused):
    code = "out_of_bounds"


class BadRequest(FettleError):
    code = "bad_request"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a document. `pointer` is a JSON pointer (RFC 6901) to the place."""

    pointer: str
    message: str


class InvalidModule(BadRequest):
    """Carries every fault, in the order of the document."""

    code = "invalid_module"

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        self.faults = faults
        shown = "; ".join(f"{fault.pointer or '/'}: {fault.message}" for fault in faults[:3])
        more = f"; and {len(faults) - 3} more" if len(faults) > 3 else ""
        super().__init__(f"the rule module has {len(faults)} fault{'s' * (len(faults) > 1)}: {shown}{more}")

    def __reduce__(self) -> tuple[type[InvalidModule], tuple[tuple[Fault, ...]]]:
        return InvalidModule, (self.faults,)


class CatalogFault(FettleError):
    """A data file of the operator's is wrong; the text says which and where."""

    code = "catalog_fault"


class TooDetailed(FettleError):
    code = "too_detailed"


class KernelFailure(FettleError):
    code = "kernel_failure"


class KernelCrashed(KernelFailure):
    code = "kernel_crashed"


class KernelKilled(KernelCrashed):
    code = "kernel_killed"


class KernelTimedOut(KernelFailure):
    code = "kernel_timed_out"


class KernelOutOfMemory(KernelFailure):
    code = "kernel_out_of_memory"
