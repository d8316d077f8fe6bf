"""Updates that do not fit into memory, and losses that are NaN or infinite."""

from __future__ import annotations

from dataclasses import replace

import pytest

from citescape.core.errors import TrainingError
from citescape.training.checkpoint import State
from citescape.training.session import Session
from citescape.training.towers import AdapterTower
from citescape.training.triplet_task import train_tower
from tests.training.loops import (
    LimitedMemoryTower,
    assert_close,
    configure,
    points,
    run,
    some_triplets,
    weights,
)


def test_a_too_large_update_is_halved_permanently(session: Session) -> None:
    """The result is the same up to rounding."""
    messages: list[str] = []
    wide, cramped = AdapterTower(points()), LimitedMemoryTower(points(), most=11)
    expected = run(wide, some_triplets(), session)
    state = run(cramped, some_triplets(), replace(session, progress=messages.append))
    assert cramped.refused == 1
    assert not cramped.alive
    assert messages.count("memory did not suffice: 2 parts per update from now on") == 1
    assert state.updates == expected.updates
    assert_close(weights(wide), weights(cramped))
    for mine, theirs in zip(state.history, expected.history, strict=True):
        assert mine == pytest.approx(theirs, rel=1e-4)


def test_a_too_large_halved_update_is_an_error(session: Session) -> None:
    tower = LimitedMemoryTower(points(), most=2)
    with pytest.raises(TrainingError, match=r"8 triplets in 2 parts.*larger --accumulation"):
        run(tower, some_triplets(), session)
    assert tower.refused == 2


def test_halved_parts_are_kept_after_a_kill(session: Session) -> None:
    """A resumed training does not try the larger parts again."""
    config = configure(tower := LimitedMemoryTower(points(), most=11))
    state = run(tower, some_triplets(), session, epochs=1)
    assert state.parts == 2
    again = LimitedMemoryTower(points(), most=11)
    resumed = State("again", parts=state.parts)
    train_tower(again, some_triplets(), config, session=session, state=resumed)
    assert again.refused == 0


@pytest.mark.parametrize("loss", ["in-batch", "softmax"])
def test_updates_of_in_batch_losses_are_not_halved(loss: str, session: Session) -> None:
    """Triplets of a part are negatives of each other, so halving would change the loss."""
    with pytest.raises(TrainingError, match=r"8 triplets in 1 parts; .*--accumulation"):
        run(LimitedMemoryTower(points(), most=11), some_triplets(), session, loss=loss)


@pytest.mark.parametrize("scale", [1e30, float("nan")])
def test_a_nan_loss_is_an_error(scale: float, session: Session) -> None:
    """Caused by infinite vectors or a too high learning rate."""
    tower = AdapterTower(points() * scale)
    with pytest.raises(TrainingError, match=r"at update 1 the loss is (nan|inf).*learning-rate"):
        run(tower, some_triplets(held=0), session)


def test_diverging_weights_are_an_error(session: Session) -> None:
    with pytest.raises(TrainingError, match="expected numbers: use a smaller --learning-rate"):
        run(AdapterTower(points()), some_triplets(held=0), session, learning_rate=1e30, warmup=0)


def test_weights_diverging_in_the_last_update_are_an_error(session: Session) -> None:
    """The validation finds it, because no further update follows."""
    settings = {"learning_rate": 1e30, "warmup": 0, "batch": 80}
    with pytest.raises(TrainingError, match=r"after update 1 the loss on held-out triplets is "):
        run(AdapterTower(points()), some_triplets(), session, **settings)
