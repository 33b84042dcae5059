"""Error classes. Every message says what is wrong, where, the value found, and what to do.

FettleError
├── InputRefused            the file cannot be used; the message says why and what to try
│   ├── NotThatFormat       the content does not match the format of the file name
│   ├── Damaged             truncated, corrupt or inconsistent
│   ├── NoSolid             no body in it encloses a volume
│   ├── Unsupported         needs a feature that is not read (a required extension, external buffers)
│   └── OutOfBounds         too large, too small, or impossible coordinates
├── BadRequest              an option or a parameter is wrong (a pull vector, a unit, a rule module)
│   └── InvalidModule       a rule module breaks its schema; lists every fault
├── CannotUnfold            the part has no flat pattern; names the faces
│   └── NotSheet            it is not made of one sheet
├── CatalogFault            a data file of the operator (materials, rates, plans, packs) is invalid
├── TooDetailed             the mesh would exceed the triangle limit; choose a coarser one
└── KernelFailure           the geometry kernel returned no result
    ├── KernelCrashed       its process died (a segmentation fault, or it was killed)
    │   └── KernelKilled    by a signal from outside: a retry may succeed
    ├── KernelTimedOut      it exceeded its wall-clock or CPU limit
    └── KernelOutOfMemory   it exceeded its memory limit
"""

from __future__ import annotations

from dataclasses import dataclass


class FettleError(Exception):
    """Root of all errors. `code` is the stable identifier for programs."""

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
    """One fault of a document. `pointer` is a JSON pointer (RFC 6901) to the faulty value."""

    pointer: str
    message: str


class InvalidModule(BadRequest):
    """Holds every fault, in the order of the document."""

    code = "invalid_module"

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        self.faults = faults
        shown = "; ".join(f"{fault.pointer or '/'}: {fault.message}" for fault in faults[:3])
        more = f"; and {len(faults) - 3} more" if len(faults) > 3 else ""
        super().__init__(f"the rule module has {len(faults)} fault{'s' * (len(faults) > 1)}: {shown}{more}")

    def __reduce__(self) -> tuple[type[InvalidModule], tuple[tuple[Fault, ...]]]:
        return InvalidModule, (self.faults,)


class CannotUnfold(FettleError):
    """The part is no sheet, or one that does not lie flat. `faces`: the face numbers that say so, counted from 0."""

    code = "cannot_unfold"

    def __init__(self, reason: str, faces: tuple[int, ...] = ()) -> None:
        self.reason, self.faces = reason, faces
        named = ", ".join(str(face + 1) for face in faces[:8]) + (", ..." if len(faces) > 8 else "")
        super().__init__(f"{reason} (faces {named})" if faces else reason)

    def __reduce__(self) -> tuple[type[CannotUnfold], tuple[str, tuple[int, ...]]]:
        return type(self), (self.reason, self.faces)


class NotSheet(CannotUnfold):
    """The part has no two sides one thickness apart, or is too thick for its size."""

    code = "not_sheet"


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
