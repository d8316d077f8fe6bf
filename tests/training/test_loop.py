"""The training loop: schedule, updates, reproducibility and invalid settings."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from citescape.core.errors import ConfigError, TrainingError
from citescape.encoders.files import load_transformer
from citescape.sampling.fingerprint import recode
from citescape.training import loop
from citescape.training.batches import count_updates
from citescape.training.checkpoint import State
from citescape.training.config import LOSSES, TUNED, TrainConfig
from citescape.training.loop import schedule
from citescape.training.session import Session, hash_update
from citescape.training.towers import AdapterTower, TextTower
from citescape.training.triplet_task import TripletTask, encode_papers
from tests.training.conftest import Training, plain_triplets
from tests.training.loops import (
    CPU,
    Weights,
    pair_tensors,
    points,
    run,
    some_triplets,
    text_tower,
    weights,
)


@pytest.mark.parametrize("total", [20, 30_000, 60_000])
def test_the_schedule(total: int) -> None:
    """Linear warmup over a tenth of the updates, then linear decay to zero."""
    assert schedule(0, total, 0.1) == 0
    assert schedule(total // 10, total, 0.1) == 1
    assert schedule(total, total, 0.1) == 0
    assert schedule(total // 20, total, 0.1) == pytest.approx(0.5)
    assert schedule(total * 11 // 20, total, 0.1) == pytest.approx(0.5)
    rates = [schedule(update, total, 0.1) for update in range(0, total + 1, total // 10)]
    assert all(later < earlier for earlier, later in pairwise(rates[1:]))


@pytest.mark.parametrize("warmup", [0.0, 0.25, 0.9, 1.0])
@pytest.mark.parametrize("total", [1, 2, 7])
def test_the_schedule_is_a_share_for_any_numbers(warmup: float, total: int) -> None:
    rates = [schedule(update, total, warmup) for update in range(total)]
    assert all(0 <= rate <= 1 for rate in rates)
    assert (rates[0] == 1) == (warmup * total < 1)


def test_rates_and_numbers_of_updates(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """80 triplets in batches of 8 give 10 updates per epoch with the scheduled rates."""
    rates: list[float] = []
    step = torch.optim.AdamW.step

    def record(self: Any, *args: Any) -> Any:
        rates.extend({group["lr"] for group in self.param_groups})
        return step(self, *args)

    monkeypatch.setattr(torch.optim.AdamW, "step", record)
    state = run(AdapterTower(points()), some_triplets(), session, epochs=2, learning_rate=0.5)
    assert state.updates == 2 * count_updates(80, 8) == 20
    assert rates == pytest.approx([0.5 * schedule(k, 20, 0.1) for k in range(20)])
    assert [entry["update"] for entry in state.history] == [0, 10, 20]


@pytest.mark.parametrize("tune", sorted(TUNED))
def test_learning_rates_by_tuned_weights(tune: str) -> None:
    assert TrainConfig(tune=tune).rate == {"all": 2e-5, "bias": 1e-4, "adapter": 1e-3}[tune]
    assert TrainConfig(tune=tune, learning_rate=0.5).rate == 0.5


@pytest.mark.parametrize("loss", LOSSES)
def test_training_lowers_the_loss(loss: str, session: Session) -> None:
    """The loss of the last epoch is lower than that of the first."""
    messages: list[float] = []
    logged = replace(session, log=lambda _, figures: messages.append(figures["train/loss"]))
    run(AdapterTower(points()), some_triplets(held=0), logged, loss=loss, epochs=8)
    assert len(messages) == 8 * 13
    assert np.mean(messages[-13:]) < 0.9 * np.mean(messages[:13])


def test_parts_of_an_update_add_up_to_its_gradient(training: Training, session: Session) -> None:
    """Without dropout; the last update has more parts than triplets.

    Vectors are centred, because a common shift has a gradient of rounding errors only.
    """
    triplets, result = recode(training.triplets), []
    for accumulation in (1, 2, 3, 8):
        tower = text_tower(training, training.still)
        before = centred(tower)
        run(tower, triplets, session, learning_rate=1e-3, accumulation=accumulation)
        result.append(centred(tower))
        assert abs(result[-1] - before).max() > 0.01
    for parts in result[1:]:
        np.testing.assert_allclose(parts, result[0], atol=1e-5)


def centred(tower: TextTower) -> np.ndarray:
    """Centred vectors of all papers."""
    tower.module.eval()
    vectors: np.ndarray = encode_papers(tower, np.arange(23), CPU).numpy()
    return vectors - vectors.mean(0)


def load(model: Path) -> Weights:
    transformer, _ = load_transformer(str(model))
    return {f"model.{name}": p.detach() for name, p in transformer.named_parameters()}


def test_bitfit_changes_bias_terms_and_nothing_else(training: Training, session: Session) -> None:
    tower, before = text_tower(training, training.model), load(training.model)
    run(tower, recode(training.triplets), session, tune="bias", epochs=1)
    after = weights(tower)
    changed = {name for name, tensor in after.items() if (tensor != before[name]).any()}
    assert changed
    assert all(name.endswith("bias") for name in changed)
    biases = {name for name in after if name.endswith("bias") and "pooler" not in name}
    keys = {name for name in biases if name.endswith("key.bias")}
    assert biases - changed <= keys, "a softmax over keys does not see what is added to all"


def test_the_pooling_layer_is_not_trained(training: Training, session: Session) -> None:
    tower, before = text_tower(training, training.model), load(training.model)
    run(tower, recode(training.triplets), session, epochs=1, weight_decay=0.5)
    poolers = [name for name in before if "pooler" in name]
    assert poolers
    assert all(torch.equal(weights(tower)[name], before[name]) for name in poolers)


def test_weight_decay_excludes_bias_terms(session: Session) -> None:
    """With a satisfied margin the gradient is zero, so that only weight decay acts."""
    tower = AdapterTower(np.eye(3, dtype=np.float32)[[0, 0, 1]] * 100)
    with torch.no_grad():
        tower.module.bias.fill_(1.0)
    triplets = plain_triplets((0, 1, 2))
    settings = {"warmup": 0.0, "learning_rate": 0.1, "weight_decay": 0.5, "epochs": 1}
    run(tower, triplets, session, tune="all", **settings)
    assert torch.equal(tower.module.weight, torch.eye(3) * (1 - 0.1 * 0.5))
    assert torch.equal(tower.module.bias, torch.ones(3))


def test_dropout_of_an_update_depends_on_seed_and_number_only(
    training: Training, session: Session
) -> None:
    """Two trainings give the same bits, even if other random numbers are drawn in between."""
    triplets, result = recode(training.triplets), []
    for noise in (0, 5):
        tower = text_tower(training, training.model)
        noisy = replace(session, progress=lambda _, n=noise: torch.rand(n))
        run(tower, triplets, noisy, epochs=1)
        result.append(weights(tower))
    assert all(torch.equal(a, b) for a, b in pair_tensors(*result))
    numbers = {hash_update(s, u, r) for s in range(5) for u in range(50) for r in range(3)}
    assert len(numbers) == 5 * 50 * 3
    assert all(0 <= number < 2**63 for number in numbers)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tune": "head"}, "tune is 'head'; expected one of: adapter, all, bias"),
        ({"loss": "hinge"}, "loss is 'hinge'; expected one of"),
        ({"epochs": 0}, "epochs is 0; expected 1 or more"),
        ({"margin": -1.0}, "margin is -1.0; expected 0 or more"),
        ({"margin": float("nan")}, "margin is nan; expected 0 or more"),
        ({"weight_decay": float("inf")}, "weight_decay is inf; expected 0 or more"),
        ({"temperature": 0.0}, "temperature is 0.0; expected more than 0"),
        ({"warmup": 1.5}, "warmup is 1.5; expected"),
        ({"learning_rate": 0.0}, "learning_rate is 0.0; expected more than 0"),
        ({"batch": 4, "accumulation": 5}, "accumulation is 5 and batch 4; expected at most"),
    ],
)
def test_invalid_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        TrainConfig(**settings)


def test_several_processes_cannot_halve_parts(session: Session) -> None:
    """Other processes would continue with parts of another size."""

    class TwoProcesses:
        num_processes = 2
        device = torch.device("cpu")

    work = type("Work", (), {})()
    work.session = replace(session, accelerator=TwoProcesses())  # type: ignore[arg-type]
    work.task = TripletTask(AdapterTower(points()), some_triplets(), TrainConfig())
    work.parts, work.state = 2, State("two")
    with pytest.raises(TrainingError, match="32 triplets in 2 parts"):
        loop._halve(work, "CUDA out of memory")
