"""Documents counted before they are read."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path

from citescape.loaders.sources import iter_documents
from citescape.loaders.totals import count_documents
from tests.loaders.articles import article


def test_folders_and_zip_archives_are_counted(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "one.xml").write_bytes(article("<p>One.</p>"))
    (tmp_path / "two.NXML").write_bytes(article("<p>Two.</p>"))
    (tmp_path / "three.pdf").touch()
    with zipfile.ZipFile(tmp_path / "more.zip", "w") as archive:
        archive.write(tmp_path / "two.NXML", "a/two.nxml")
        archive.write(tmp_path / "three.pdf", "three.pdf")
    assert count_documents([tmp_path]) == 3 == len(list(iter_documents([tmp_path])))
    assert count_documents([tmp_path, tmp_path / "two.NXML"]) == 4


def test_what_only_reading_tells(tmp_path: Path) -> None:
    (tmp_path / "one.xml").write_bytes(article("<p>One.</p>"))
    with tarfile.open(tmp_path / "papers.tar", "w") as archive:
        archive.add(tmp_path / "one.xml", "one.xml")
    assert count_documents([tmp_path]) is None
    (tmp_path / "cut.zip").write_bytes(b"PK")
    assert count_documents([tmp_path / "cut.zip"]) is None
