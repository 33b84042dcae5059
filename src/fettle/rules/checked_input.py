"""Validation of untrusted data that collects every fault: JSON pointer, message, and the nearest valid name.

Nothing here recurses into the data, prints a container or converts a huge number, so that a hostile document costs
little time.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from fettle.errors import Fault
from fettle.rules.spec import MAX_NAME

MAX_FAULTS = 100
"""Faults that are collected; after them only that there are more."""
MAX_LISTED = 12
"""Most valid names that a message lists in full when none of them is similar."""
MAX_SHOWN = 60
"""Most characters of a faulty value that a message quotes."""


@dataclass(eq=False)
class Faults:
    """Collects faults, up to `MAX_FAULTS`."""

    found: list[Fault] = field(default_factory=list)

    @property
    def full(self) -> bool:
        return len(self.found) >= MAX_FAULTS

    def add(self, pointer: str, message: str) -> None:
        if not self.full:
            self.found.append(Fault(pointer, message))
        elif len(self.found) == MAX_FAULTS:
            self.found.append(Fault("", f"there are more faults; these are the first {MAX_FAULTS}"))

    def unknown(self, pointer: str, what: str, name: object, valid: Iterable[str]) -> None:
        """Add a fault about a name that is not valid, with the nearest valid one."""
        if not self.full:
            self.add(pointer, f"no {what} {brief(name)}; {nearest(name, valid)}")


@dataclass(frozen=True, eq=False)
class Node:
    """A value in the document, its JSON pointer, and the collected faults.

    Each method returns the checked value, or None after adding a fault.
    """

    value: object
    pointer: str
    faults: Faults

    def complain(self, message: str) -> None:
        self.faults.add(self.pointer, message)

    def child(self, key: str | int, value: object) -> Node:
        step = str(key) if isinstance(key, int) else key[:MAX_SHOWN].replace("~", "~0").replace("/", "~1")
        return Node(value, f"{self.pointer}/{step}", self.faults)

    def mapping(self, most: int | None = None) -> dict[str, Node] | None:
        """The children of an object by key."""
        if not isinstance(self.value, Mapping):
            self.complain(f"expected an object, found {brief(self.value)}")
            return None
        if most is not None and len(self.value) > most:
            self.complain(f"{len(self.value)} entries; at most {most} are allowed")
            return None
        children = {}
        for key, value in self.value.items():
            if isinstance(key, str) and len(key) <= MAX_NAME:
                children[key] = self.child(key, value)
            else:
                self.complain(f"a key must be text of at most {MAX_NAME} characters, found {brief(key)}")
        return children

    def fields(self, required: Iterable[str], optional: Iterable[str] = ()) -> dict[str, Node] | None:
        """The children of an object with fixed keys; unknown and missing keys are faults."""
        children = self.mapping()
        if children is None:
            return None
        known = [*required, *optional]
        for key in [key for key in children if key not in known]:
            self.faults.unknown(children[key].pointer, "field", key, known)
            del children[key]
        for key in required:
            if key not in children:
                self.complain(f"field '{key}' is missing")
        return children

    def items(self, most: int) -> list[Node] | None:
        if not isinstance(self.value, list | tuple):
            self.complain(f"expected a list, found {brief(self.value)}")
            return None
        if not 1 <= len(self.value) <= most:
            self.complain(f"{len(self.value)} entries; 1 to {most} are allowed")
            return None
        return [self.child(i, value) for i, value in enumerate(self.value)]

    def text(self, most: int) -> str | None:
        """A text of 1 to `most` characters, without control characters except line breaks."""
        if not isinstance(self.value, str):
            self.complain(f"expected text, found {brief(self.value)}")
            return None
        if not 1 <= len(self.value) <= most:
            self.complain(f"{len(self.value)} characters; 1 to {most} are allowed")
            return None
        if any(ord(letter) < 32 and letter != "\n" for letter in self.value):
            self.complain("control characters are not allowed")
            return None
        return self.value

    def number(self, largest: float) -> float | None:
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            self.complain(f"expected a number, found {brief(self.value)}")
            return None
        if not abs(self.value) <= largest:  # catches nan and infinity too
            self.complain(f"the number must be finite and at most {largest:g} in size")
            return None
        return float(self.value)

    def choice(self, what: str, valid: Iterable[str]) -> str | None:
        if isinstance(self.value, str) and self.value in valid:
            return self.value
        self.faults.unknown(self.pointer, what, self.value, valid)
        return None


def brief(value: object) -> str:
    """A short description of any value."""
    match value:
        case str():
            return repr(value) if len(value) <= MAX_SHOWN else f"a text of {len(value)} characters"
        case None | bool():
            return {None: "null", True: "true", False: "false"}[value]
        case float():
            return repr(value)
        case int():
            return str(value) if abs(value) < 10**18 else "a giant number"
        case Mapping():
            return f"an object of {len(value)} fields"
        case list() | tuple():
            return f"a list of {len(value)}"
    return f"a {type(value).__name__}"


def nearest(name: object, valid: Iterable[str]) -> str:
    """A clause that names the nearest valid name, or all of them if they are few."""
    names = list(valid)
    if isinstance(name, str) and len(name) <= MAX_SHOWN:
        close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
        if close:
            return f"the nearest is '{close[0]}'"
    if not names:
        return "there is none"
    if len(names) <= MAX_LISTED:
        return f"there are {', '.join(names)}"
    return f"{len(names)} are known, see the rule schema"
