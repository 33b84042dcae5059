"""A row of the table of file formats: what a module of `fettle.geometry.readers` declares.

The process that serves HTTP and the command line look at the table too, and neither may load the geometry kernel,
which takes a second and dies on some damaged files. Modules of readers therefore import only the standard library and
this module at their top; the libraries that read a file are imported inside their functions, when one is read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fettle.geometry.mesh_options import MeshOptions
    from fettle.geometry.model import Model

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Reader:
    """A file format and the function that reads it.

    `name`: as users see it. `extensions`: lower case, with the dot. `media_type`: registered with IANA, or in common
    use. `matches`: whether bytes are of this format; the whole file, or at least its first 64 KB. `mismatch`: what is
    said of bytes that are not, after "it". `recognized_as`: what is said of bytes that are, under the extension of
    another format; empty to say nothing. `read`: bytes, file name, mesh options and length unit to a model. `exact`:
    a boundary representation, not triangles. `default_unit`: length unit of a file that carries none, a key of
    `length_units.UNITS_MM`; empty where files carry theirs or the format fixes it. `over_http`: the HTTP API takes it.
    """

    name: str
    extensions: tuple[str, ...]
    media_type: str
    matches: Callable[[bytes], bool]
    mismatch: str
    read: Callable[[bytes, str, MeshOptions, str], Model]
    exact: bool
    recognized_as: str = ""
    default_unit: str = ""
    over_http: bool = False
