"""Lines of text files: decoded, and bounded."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from citescape.loaders import lines
from citescape.loaders.lines import TextLines, split_lines


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("size", [9, 10, 11, 25, 3_000_000])
def test_the_rest_of_a_long_line_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str, size: int
) -> None:
    monkeypatch.setattr(lines, "LONGEST_LINE", 10)
    file = tmp_path / "a.txt"
    for encoding in ("utf-8", "utf-16"):
        file.write_bytes(f"a{end}{'x' * size}{end}b".encode(encoding))
        found = list(TextLines(file))
        assert [line.rstrip("\r\n") for line in found] == ["a", "x" * min(size, 10), "b"]


def test_a_long_last_line_has_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST_LINE", 10)
    assert list(split_lines(io.BytesIO(b"x" * 25))) == [b"x" * 10]


def test_zero_bytes_become_blanks(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"a\x00b\n")
    assert list(TextLines(file)) == ["a b\n"]
    assert TextLines(file).first() == "a\0b"  # shows that the file is no text


def test_the_first_lines_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes("\ufeff\n a \r\n\nb\nc".encode())
    assert TextLines(file).head(2) == [" a ", "b"]
    file.write_bytes(b"\n\n")
    assert TextLines(file).head(2) == [""]
