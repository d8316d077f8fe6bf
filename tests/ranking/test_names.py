from __future__ import annotations

from pathlib import Path

import pytest

from citescape.ranking.names import split_name


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("bm25", ("", "bm25")),
        ("words=bm25", ("words", "bm25")),
        ("year=2019/a.run", ("", "year=2019/a.run")),
        ("year=2019", ("", "year=2019")),
        ("x=year=2019/a.run", ("x", "year=2019/a.run")),
        ("x=year=2019/none.run", ("x", "year=2019/none.run")),
        ("=bm25", ("", "bm25")),
        ("", ("", "")),
    ],
)
def test_an_existing_path_may_contain_an_equals_sign(
    named: str, expected: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "year=2019").mkdir()
    (tmp_path / "year=2019" / "a.run").touch()
    monkeypatch.chdir(tmp_path)
    assert split_name(named) == expected
