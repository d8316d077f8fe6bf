from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from citescape.core.errors import SourceError
from citescape.search.lines import open_lines


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
def test_compression_is_recognised_by_content(tmp_path: Path, name: str) -> None:
    for content in (b"one\ntwo\n", gzip.compress(b"one\ntwo\n")):
        (tmp_path / name).write_bytes(content)
        with open_lines(tmp_path / name, "lines") as lines:
            assert list(lines) == [b"one\n", b"two\n"]


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="expected a list; found: No such file"):  # noqa: SIM117
        with open_lines(tmp_path / "none", "a list"):
            pass
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(b"many words " * 1000)[:-9])
    with pytest.raises(SourceError, match="cut off or damaged"), open_lines(path, "a list") as file:
        list(file)
