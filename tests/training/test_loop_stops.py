"""Stopping and resuming trainings: early stopping, kills and signals."""

from __future__ import annotations

import signal
from dataclasses import replace

import pytest
import torch

from citescape.sampling.fingerprint import recode
from citescape.sampling.triplets import Triplets
from citescape.training.checkpoint import STATE, load_state
from citescape.training.interrupts import Interrupt
from citescape.training.session import Session
from citescape.training.towers import AdapterTower
from citescape.training.triplet_task import choose_validation, train_tower, validate
from tests.training.conftest import plain_triplets
from tests.training.loops import (
    CPU,
    PowerCutError,
    configure,
    pair_tensors,
    points,
    run,
    some_triplets,
    weights,
)


def make_opposed_triplets() -> Triplets:
    """Validation triplets are the reverse of training triplets: each epoch makes the loss worse."""
    rows = [(a, (a + 2) % 24, (a + 1) % 24) for a in range(0, 24, 2)]
    return recode(plain_triplets(*rows, *((a, n, p) for a, p, n in rows), held=len(rows)))


@pytest.mark.parametrize("patience", [1, 2])
def test_early_stopping_keeps_the_best_epoch(patience: int, session: Session) -> None:
    settings = {"epochs": 6, "patience": patience, "learning_rate": 0.05}
    tower = AdapterTower(points())
    state = run(tower, make_opposed_triplets(), session, **settings)
    losses = [entry["loss"] for entry in state.history]
    assert losses == sorted(losses)
    assert len(losses) == 1 + patience
    held = choose_validation(make_opposed_triplets(), anchors=500)
    kept = validate(tower, held, margin=1.0, device=CPU)
    assert kept["loss"] == min(losses[1:])
    every = run(
        AdapterTower(points()), make_opposed_triplets(), session, **{**settings, "patience": 0}
    )
    assert len(every.history) == 1 + 6


def test_an_improving_training_continues(session: Session) -> None:
    rows = [(a, (a + 2) % 24, (a + 1) % 24) for a in range(0, 24, 2)]
    triplets = recode(plain_triplets(*rows, *rows, held=len(rows)))
    state = run(AdapterTower(points()), triplets, session, epochs=4, patience=1, weight_decay=0.0)
    losses = [entry["loss"] for entry in state.history]
    assert losses == sorted(losses, reverse=True)
    assert len(losses) == 5


def test_without_validation_triplets_there_are_no_metrics(session: Session) -> None:
    state = run(AdapterTower(points()), some_triplets(held=0), session)
    assert state.history == [{"update": 0}, {"update": 13}, {"update": 26}]


@pytest.mark.parametrize("stop", [1, 4, 10, 13])
@pytest.mark.parametrize("patience", [0, 2])
def test_a_training_resumes_from_its_checkpoint(stop: int, patience: int, session: Session) -> None:
    """The bits are the same after any update, including metrics and best weights."""
    settings = {"epochs": 2, "patience": patience}
    whole = AdapterTower(points())
    expected = run(whole, some_triplets(), session, **settings)

    def stop_after(text: str) -> None:
        if text.startswith(f"update {stop + 1} of"):
            raise PowerCutError

    every = replace(session, checkpoint_seconds=0.0)
    with pytest.raises(PowerCutError):
        run(
            AdapterTower(points()), some_triplets(), replace(every, progress=stop_after), **settings
        )
    assert (session.folder / STATE).is_file()
    state = load_state(session.folder, session.run)
    assert state is not None
    assert state.updates == stop
    tower, messages = AdapterTower(points()), list[str]()
    config = configure(tower, **settings)
    again = replace(session, progress=messages.append)
    result = train_tower(tower, some_triplets(), config, session=again, state=state)
    assert all(torch.equal(a, b) for a, b in pair_tensors(weights(tower), weights(whole)))
    assert result.history == expected.history
    assert messages[0] == f"resumed after update {stop} of 20"


@pytest.mark.parametrize(
    ("message", "stop"),
    [
        ("update 7 of 20", 7),
        ("validating after update 10 of 20", 10),
        ("validating after update 20 of 20", 20),
    ],
)
def test_a_signal_stops_after_the_current_update(message: str, stop: int, session: Session) -> None:
    """The signal writes a checkpoint, and the resumed training gives the same bits."""
    whole = AdapterTower(points())
    expected = run(whole, some_triplets(), session, epochs=2)
    interrupt = Interrupt()

    def send_signal(text: str) -> None:
        if text.startswith(message):
            interrupt.number = signal.SIGTERM

    heeding = replace(session, progress=send_signal, interrupt=interrupt)
    with pytest.raises(KeyboardInterrupt, match=f"stopped after update {stop} of 20; "):
        run(AdapterTower(points()), some_triplets(), heeding, epochs=2)
    state = load_state(session.folder, session.run)
    assert state is not None
    assert state.updates == stop
    tower = AdapterTower(points())
    config = configure(tower, epochs=2)
    result = train_tower(tower, some_triplets(), config, session=session, state=state)
    assert result.history == expected.history
    assert all(torch.equal(a, b) for a, b in pair_tensors(weights(tower), weights(whole)))
