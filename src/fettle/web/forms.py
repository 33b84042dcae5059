"""Forms with a part file: parsed as they come, the file straight to disk, never whole in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from urllib.parse import parse_qsl

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect, Request

from fettle.app.errors import BadField, BadUpload
from fettle.app.state.uploads import Incoming, RefusedFile, Upload, bare_name
from fettle.errors import BadRequest, FettleError

MAX_PARTS = 32
MAX_FIELD_BYTES = 8 * 1024
FORM_OVERHEAD_BYTES = 64 * 1024
"""What a form may hold beside the file."""
FILES = "files"
"""Name of every part of a form that holds one of several files."""


@dataclass(frozen=True, slots=True)
class Form:
    """`file`: the upload of the field `file`, there as long as the form is open."""

    fields: dict[str, str]
    file: Upload | None


@dataclass(frozen=True, slots=True)
class FilesForm:
    """`files`: every field `files`, in order, there as long as the form is open."""

    fields: dict[str, str]
    files: tuple[Upload | RefusedFile, ...]


class _Parts:
    """Collects the parts of a multipart body as the parser meets them."""

    def __init__(self, limit_bytes: int) -> None:
        self.fields: dict[str, bytearray] = {}
        self.incoming: Incoming | None = None
        self._most = MAX_PARTS
        self._limit_bytes = limit_bytes
        self._count = 0
        self._headers: dict[bytes, bytes] = {}
        self._header_name = b""
        self._header_value = b""
        self._field: bytearray | None = None

    def decoded(self) -> dict[str, str]:
        """The plain fields."""
        return {name: value.decode("utf-8", "replace") for name, value in self.fields.items()}

    def callbacks(self) -> dict[str, object]:
        return {
            "on_part_begin": self._begin,
            "on_header_field": self._take_header_name,
            "on_header_value": self._take_header_value,
            "on_header_end": self._end_header,
            "on_headers_finished": self._open,
            "on_part_data": self._take,
        }

    def _begin(self) -> None:
        self._count += 1
        if self._count > self._most:
            raise BadUpload(f"The form has more than {self._most} fields.")
        self._headers = {}

    def _take_header_name(self, data: bytes, start: int, end: int) -> None:
        self._header_name += data[start:end]

    def _take_header_value(self, data: bytes, start: int, end: int) -> None:
        self._header_value += data[start:end]

    def _end_header(self) -> None:
        self._headers[self._header_name.lower()] = self._header_value
        self._header_name = self._header_value = b""

    def _open(self) -> None:
        """The headers of a part are known: is it the file or a plain field?"""
        _, options = parse_options_header(self._headers.get(b"content-disposition"))
        name = options.get(b"name", b"").decode("utf-8", "replace")
        filename = options.get(b"filename", b"").decode("utf-8", "replace")
        self._field = None
        if not self._open_file(name, filename):
            if name in self.fields:
                raise BadRequest(f"The form has the field {name!r} twice; send it once.")
            self._field = self.fields.setdefault(name, bytearray())

    def _open_file(self, name: str, filename: str) -> bool:
        """Begin a file; False for a plain field."""
        if name != "file":
            return False
        if self.incoming is not None:
            raise BadUpload("The form has the field 'file' twice; send one file.")
        if not filename:
            raise BadUpload("The field 'file' holds no file: it has no file name.")
        self.incoming = Incoming(filename, self._limit_bytes)
        return True

    def _write(self, chunk: bytes) -> None:
        """Take bytes of the file."""
        if self.incoming is not None:
            self.incoming.write(chunk)

    def _take(self, data: bytes, start: int, end: int) -> None:
        if self._field is None:
            self._write(data[start:end])
            return
        self._field += data[start:end]
        if len(self._field) > MAX_FIELD_BYTES:
            raise BadRequest(f"A field of the form is longer than {MAX_FIELD_BYTES} bytes.")


class _SeveralFiles(_Parts):
    """The same for a form of several files. The bytes of one that cannot be taken are dropped; the others go on."""

    def __init__(self, limit_bytes: int, most_files: int) -> None:
        super().__init__(limit_bytes)
        self._most = MAX_PARTS + most_files
        self._most_files = most_files
        self.files: list[Incoming | RefusedFile] = []

    def _open_file(self, name: str, filename: str) -> bool:
        if name != FILES:
            return False
        if len(self.files) == self._most_files:
            raise BadField(FILES, f"The form has more than {self._most_files} files; send the rest in another call.")
        try:
            self.files.append(Incoming(filename, self._limit_bytes))
        except FettleError as error:
            self.files.append(RefusedFile(bare_name(filename), error))
        return True

    def _write(self, chunk: bytes) -> None:
        last = self.files[-1] if self.files else None
        if isinstance(last, Incoming):
            try:
                last.write(chunk)
            except FettleError as error:
                self._refuse(len(self.files) - 1, last, error)

    def _refuse(self, number: int, incoming: Incoming, error: FettleError) -> None:
        with incoming:
            self.files[number] = RefusedFile(incoming.filename, error)

    def finish(self) -> tuple[Upload | RefusedFile, ...]:
        """Every file, whole or refused."""
        found: list[Upload | RefusedFile] = []
        for one in self.files:
            try:
                found.append(one.finish() if isinstance(one, Incoming) else one)
            except FettleError as error:
                found.append(RefusedFile(one.filename, error))
        return tuple(found)


@asynccontextmanager
async def read_files(request: Request, limit_bytes: int, most_files: int) -> AsyncIterator[FilesForm]:
    """Read a multipart form of several files, each of at most `limit_bytes`; they are gone when the block ends."""
    kind, options = parse_options_header(request.headers.get("content-type"))
    async with AsyncExitStack() as stack:
        parts = _SeveralFiles(limit_bytes, most_files)
        if kind == b"multipart/form-data":
            try:
                await _parse(request, options.get(b"boundary", b""), parts)
            finally:
                for one in parts.files:
                    if isinstance(one, Incoming):
                        stack.enter_context(one)
        yield FilesForm(parts.decoded(), parts.finish())


@asynccontextmanager
async def read_form(request: Request, limit_bytes: int) -> AsyncIterator[Form]:
    """Read a multipart or urlencoded form; its file is gone when the block ends."""
    kind, options = parse_options_header(request.headers.get("content-type"))
    async with AsyncExitStack() as stack:
        if kind == b"multipart/form-data":
            parts = _Parts(limit_bytes)
            try:
                await _parse(request, options.get(b"boundary", b""), parts)
                file = parts.incoming.finish() if parts.incoming else None
            finally:
                if parts.incoming is not None:
                    stack.enter_context(parts.incoming)
            yield Form(parts.decoded(), file)
        elif kind == b"application/x-www-form-urlencoded":
            yield Form(_unique(parse_qsl((await request.body()).decode("utf-8", "replace"), True)), None)
        else:
            yield Form({}, None)


async def _parse(request: Request, boundary: bytes, parts: _Parts) -> None:
    if not boundary:
        raise BadUpload("The form cannot be read: its Content-Type names no boundary.")
    try:
        # the parser's types ask for callbacks with names, of which its manual leaves out what is not wanted
        parser = MultipartParser(boundary, parts.callbacks())  # type: ignore[arg-type]
        async for chunk in request.stream():
            parser.write(chunk)
        parser.finalize()
    except FormParserError as fault:
        raise BadUpload(f"The form cannot be read: {fault}") from fault
    except ClientDisconnect as gone:
        raise BadUpload("The upload ended before the file was complete.") from gone


def _unique(pairs: list[tuple[str, str]]) -> dict[str, str]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise BadRequest("The form has a field twice; send each once.")
    return fields


def require_file(form: Form) -> Upload:
    """The file of a form that must have one."""
    if form.file is None:
        raise BadUpload("The form field 'file' is missing; send the part file in it as multipart/form-data.")
    return form.file
