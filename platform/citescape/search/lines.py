"""Files of lines that other tools wrote, compressed or not."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from citescape.core.errors import SourceError

_GZIP = b"\x1f\x8b"


@contextmanager
def open_lines(path: Path, expected: str) -> Iterator[BinaryIO]:
    """The lines of a file, compressed by gzip or not: the first bytes decide, not the name.

    Raises:
        SourceError: there is no such file, or it is cut short.
    """
    try:
        with path.open("rb") as opened:
            zipped = opened.read(len(_GZIP)) == _GZIP
            opened.seek(0)
            yield cast(BinaryIO, gzip.GzipFile(fileobj=opened)) if zipped else opened
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise SourceError(
            str(path), "damaged", f"compressed by gzip, but cut off or damaged: {error}"
        ) from error
    except OSError as error:
        raise SourceError(
            str(path), "no-file", f"expected {expected}; found: {error.strerror or error}"
        ) from error
