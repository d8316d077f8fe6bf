"""Opening runs of profiles, intact and damaged."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from citescape.core.errors import SourceError
from citescape.embeddings.steps import EmbedConfig
from citescape.recommend.profiles import (
    BASE,
    CONTEXT_WORDS,
    PAPER_WORDS,
    PAPERS,
    PROFILES,
    WORDS,
    ProfileRun,
)
from citescape.recommend.profiling import ProfileConfig, make_profiles
from citescape.runs.directory import list_runs
from citescape.runs.kept import find_kept
from tests.recommend.libraries import draw_library, make_library

LIBRARY = make_library(*draw_library())


def make(tiny: Path, runs: Path) -> ProfileRun:
    encoder = EmbedConfig(str(tiny), max_tokens=32)
    return make_profiles(LIBRARY, ProfileConfig(encoder=encoder), runs=runs)


@pytest.fixture(scope="module")
def intact_run(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> ProfileRun:
    return make(tiny, tmp_path_factory.mktemp("whole"))


def empty(path: Path) -> None:
    path.write_bytes(b"")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def garble(path: Path) -> None:
    path.write_bytes(b"no array" * 40)


DAMAGES: list[Callable[[Path], None]] = [empty, cut, garble, Path.unlink]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
@pytest.mark.parametrize("name", [BASE, PROFILES, PAPER_WORDS, CONTEXT_WORDS, WORDS, PAPERS])
def test_damaged_files_are_reported_in_one_line(
    name: str, damage: Callable[[Path], None], intact_run: ProfileRun, tmp_path: Path
) -> None:
    shutil.copytree(intact_run.path, tmp_path / intact_run.run)
    damage(tmp_path / intact_run.run / name)
    found = find_kept(ProfileRun, tmp_path)
    with pytest.raises(SourceError) as raised:
        found.index  # noqa: B018
    assert raised.value.path == str(tmp_path / intact_run.run / name)
    assert "move the folder away and run the command again" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_profiles_are_not_reused_from_a_damaged_run(
    tiny: Path, intact_run: ProfileRun, tmp_path: Path
) -> None:
    """The message names the damaged folder, so that it can be moved away."""
    shutil.copytree(intact_run.path.parent, tmp_path / "runs")
    cut(tmp_path / "runs" / intact_run.run / PROFILES)
    grown = make_library(*draw_library(contexts=31))
    config = ProfileConfig(encoder=EmbedConfig(str(tiny), max_tokens=32))
    with pytest.raises(SourceError, match=f"{intact_run.run}/{PROFILES}: expected an array"):
        make_profiles(grown, config, runs=tmp_path / "runs")
    assert [path.name for _, path in list_runs(tmp_path / "runs", "profile")] == [intact_run.run]
    assert not list((tmp_path / "runs").glob(".*partial"))


def test_opened_index_equals_the_files(intact_run: ProfileRun) -> None:
    index: Any = find_kept(ProfileRun, intact_run.path.parent).index
    assert np.array_equal(index.base, np.load(intact_run.path / BASE))
    assert np.array_equal(index.profiles, np.load(intact_run.path / PROFILES))
    assert index.profiled.tolist() == [
        count > 0 for count in intact_run.papers["cited_by"].to_pylist()
    ]
    assert index.lexicon.own.shape == index.lexicon.contexts.shape == (12, len(index.lexicon.words))
    assert index.latest.tolist() == intact_run.latest.tolist() == LIBRARY.dates.latest.tolist()
    assert intact_run.ids == LIBRARY.ids
