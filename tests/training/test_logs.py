"""TensorBoard logs, including those of resumed trainings."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from citescape.training.session import open_log


def read(folder: Path, name: str) -> list[tuple[int, float]]:
    result = EventAccumulator(str(folder), purge_orphaned_data=True)
    result.Reload()
    return [(event.step, event.value) for event in result.Scalars(name)]


def test_metrics_are_logged_by_update(tmp_path: Path) -> None:
    with open_log(tmp_path, after=0) as log:
        for update in range(1, 4):
            log(update, {"train/loss": 0.5**update, "validation/loss": update})
    assert read(tmp_path, "train/loss") == [(1, 0.5), (2, 0.25), (3, 0.125)]
    assert read(tmp_path, "validation/loss") == [(1, 1.0), (2, 2.0), (3, 3.0)]


def test_repeated_updates_are_logged_once(tmp_path: Path) -> None:
    """The checkpoint is at update 2; update 3 was logged and is repeated."""
    with open_log(tmp_path, after=0) as log:
        for update in (1, 2, 3):
            log(update, {"train/loss": float(update)})
    with open_log(tmp_path, after=2) as log:
        for update in (3, 4):
            log(update, {"train/loss": 10.0 * update})
    assert read(tmp_path, "train/loss") == [(1, 1), (2, 2), (3, 30), (4, 40)]


def test_an_attempt_without_checkpoint_leaves_no_metrics(tmp_path: Path) -> None:
    with open_log(tmp_path, after=0) as log:
        log(1, {"train/loss": 1.0})
    with open_log(tmp_path, after=0) as log:
        log(1, {"train/loss": 2.0})
    assert read(tmp_path, "train/loss") == [(1, 2.0)]
    assert len(list(tmp_path.iterdir())) == 1


def test_other_processes_write_nothing(tmp_path: Path) -> None:
    with open_log(tmp_path / "none", after=0, writes=False) as log:
        log(1, {"train/loss": 1.0})
    assert not (tmp_path / "none").exists()


def test_a_log_from_the_future_delays_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its clock was ahead: waiting for that time could take hours."""
    (tmp_path / f"events.out.tfevents.{int(time.time()) + 3600}.host.1.0").touch()
    monkeypatch.setattr(time, "sleep", lambda seconds: pytest.fail(f"waits for {seconds} s"))
    with open_log(tmp_path, after=1) as log:
        log(2, {"loss": 1.0})
