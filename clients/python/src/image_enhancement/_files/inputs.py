"""Input images: a path, bytes, a stream, or a URL."""

from __future__ import annotations

import io
import json
import os
import re
import stat
import threading
import uuid
from pathlib import Path
from typing import IO, Any, List, Mapping, Optional, Tuple, Union

from .._limits import cancellation as _cancellation, deadline as _deadline
from .._models.generated import Source
from ..errors import ImageEnhancementError, InvalidImageError, WaitTimeoutError

FileInput = Union[str, os.PathLike[str], bytes, bytearray, memoryview, IO[bytes]]
"""Bytes of an image: a path, bytes, or a stream that is read to its end."""

ImageInput = Union[FileInput, Source]
"""An image, a URL that the service fetches it from, or an upload: its URL, or what ``upload`` gave."""

MAX_FILE_BYTES = 20 * 2**20
"""The largest upload that the service takes: 20 MB."""
_LOOK_SECONDS = 0.05
_UPLOADED = re.compile(r"/files/src_[^/?#]+(\?[^#]*)?$")
"""How URLs of uploads end."""


def uploaded_address(image: ImageInput) -> Optional[str]:
    """The input as the URL of an upload; None for any other input."""
    if isinstance(image, Source):
        return image.url
    address = web_address(image)
    return address if address is not None and _UPLOADED.search(address) else None


def web_address(image: object) -> Optional[str]:
    """The input as a URL; None for any other input."""
    return image if isinstance(image, str) and image.lower().startswith(("http://", "https://")) else None


def read_image(image: FileInput) -> bytes:
    """Reads all bytes, because a retry needs them again, and the limit is only 20 MB."""
    if isinstance(image, (bytes, bytearray, memoryview)):
        data = bytes(image)
    elif image == "":
        raise ImageEnhancementError("invalid_file", "The path of the image is empty.")
    elif isinstance(image, (str, os.PathLike)):
        data = _read_path(Path(image))
    elif hasattr(image, "read"):
        data = _read_in_time(image)
    else:
        raise ImageEnhancementError(
            "invalid_file",
            "An image is a path, bytes, a binary stream or the address of an upload,"
            f" not {'None' if image is None else f'a value of type {type(image).__name__}'}.",
        )
    if len(data) > MAX_FILE_BYTES:
        raise InvalidImageError(
            413,
            {
                "code": "payload_too_large",
                "detail": f"The file is over 20 MB ({MAX_FILE_BYTES} bytes). It was not sent.",
            },
        )
    return data


def name_of(image: FileInput) -> Optional[str]:
    """The name of a file, if the input is a path or a file that was opened by its path."""
    if isinstance(image, (str, os.PathLike)):
        return _text_of(Path(image).name)
    name = getattr(image, "name", None)
    # Other streams have a number, or a name such as "<stdin>".
    return _text_of(Path(name).name) if isinstance(name, str) and not name.startswith("<") else None


def multipart(
    data: bytes, file_name: Optional[str] = None, fields: Optional[Mapping[str, str]] = None
) -> Tuple[bytes, str]:
    """A multipart body with the part ``file`` after the fields, and its content type. The service takes the file
    name "image" as none.
    """
    boundary = uuid.uuid4().hex
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n'
        for name, text in (fields or {}).items()
    ]
    head = "".join(parts) + (
        f"--{boundary}\r\n"
        f'Content-Disposition: form-data; name="file"; filename="{_escaped(file_name or "image")}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    body = head.encode("utf-8", "replace") + data + f"\r\n--{boundary}--\r\n".encode()
    return body, f"multipart/form-data; boundary={boundary}"


def job_form(order: Mapping[str, Any], data: bytes, file_name: Optional[str] = None) -> Tuple[bytes, str]:
    """A form that uploads an image and creates its job, and its content type."""
    given = {name: value for name, value in order.items() if value is not None}
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in given.items()}
    return multipart(data, file_name, texts)


def _text_of(file_name: str) -> str:
    """A file name whose bytes need not be text as text."""
    return file_name.encode("utf-8", "replace").decode()


def _escaped(file_name: str) -> str:
    """A file name as browsers write it in a multipart header (WHATWG HTML, "multipart/form-data")."""
    return file_name.replace("\n", "%0A").replace("\r", "%0D").replace('"', "%22")


def _read_in_time(stream: IO[bytes]) -> bytes:
    """A stream may stall, so the end of the call must end the reading, too.

    A read cannot be interrupted, so it continues on a daemon thread, which does not keep the program alive.
    """
    cancellation = _cancellation.current()
    if _never_waits(stream) or (cancellation is None and _deadline.left() is None):
        return _read_stream(stream)
    data: List[bytes] = []
    errors: List[BaseException] = []
    is_done = threading.Event()

    def read() -> None:
        try:
            data.append(_read_stream(stream))
        except BaseException as error:
            errors.append(error)
        is_done.set()

    threading.Thread(target=read, name="image-enhancement-read", daemon=True).start()
    while not (cancellation or _cancellation.Cancellation()).wait_for(is_done, _LOOK_SECONDS):
        if _deadline.left() == 0:
            raise WaitTimeoutError("The image did not come to its end in time.")
    if errors:
        raise errors[0]
    return data[0]


def _never_waits(stream: IO[bytes]) -> bool:
    """Whether reading never waits for another program: the input is in memory, or a regular file."""
    if isinstance(stream, io.BytesIO):
        return True
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (AttributeError, OSError, ValueError, TypeError):
        return False


def _read_stream(stream: IO[bytes]) -> bytes:
    """Reads to the end: a pipe or a socket returns less at a time than requested."""
    data = bytearray()
    while len(data) <= MAX_FILE_BYTES:
        chunk = stream.read(MAX_FILE_BYTES + 1 - len(data))
        if not isinstance(chunk, (bytes, bytearray)):
            raise ImageEnhancementError("invalid_file", "Open the file for bytes: open(path, 'rb').")
        if not chunk:
            break
        data += chunk
    return bytes(data)


def _read_path(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ImageEnhancementError("invalid_file", f"{path} cannot be read: {reason}.") from error
