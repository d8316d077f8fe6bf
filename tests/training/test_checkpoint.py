"""Checkpoints: saved completely, or reported as damaged."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from citescape.core.errors import ConfigError
from citescape.training.checkpoint import STATE, State, load_state, save_state


def make_state(run: str = "train-1") -> State:
    parameter = torch.nn.Parameter(torch.randn(3, 3))
    optimiser = torch.optim.AdamW([parameter])
    parameter.sum().backward()
    optimiser.step()
    history = [{"update": 0, "loss": 0.5}]
    module = {"weight": parameter.detach()}
    return State(run, 7, module, optimiser.state_dict(), history, dict(module), 10, 2.5, 0.25)


def test_writing_and_reading_gives_the_same_state(tmp_path: Path) -> None:
    state = make_state()
    save_state(tmp_path / "checkpoint", state)
    result = load_state(tmp_path / "checkpoint", "train-1")
    assert result is not None
    assert torch.equal(result.module["weight"], state.module["weight"])
    assert torch.equal(result.best["weight"], state.best["weight"])
    moments = [saved_state.optimiser["state"][0]["exp_avg"] for saved_state in (result, state)]
    assert torch.equal(*moments)
    plain = ("run", "updates", "history", "tokens", "flops", "seconds")
    assert [getattr(result, n) for n in plain] == [getattr(state, n) for n in plain]
    assert [path.name for path in (tmp_path / "checkpoint").iterdir()] == [STATE]


def test_without_a_checkpoint_there_is_no_state(tmp_path: Path) -> None:
    assert load_state(tmp_path, "train-1") is None
    (tmp_path / f"{STATE}.partial").write_bytes(b"cut while it was written")
    assert load_state(tmp_path, "train-1") is None


def test_an_interrupted_write_keeps_the_previous_checkpoint(tmp_path: Path) -> None:
    save_state(tmp_path, make_state())
    (tmp_path / f"{STATE}.partial").write_bytes(b"cut")
    result = load_state(tmp_path, "train-1")
    assert result is not None
    assert result.updates == 7
    save_state(tmp_path, make_state())
    assert [path.name for path in tmp_path.iterdir()] == [STATE]


@pytest.mark.parametrize("left", [0, 1, 100, 0.5, 0.9, -1])
def test_a_truncated_checkpoint_is_refused(left: float, tmp_path: Path) -> None:
    save_state(tmp_path, make_state())
    content = (tmp_path / STATE).read_bytes()
    kept = int(left * len(content)) if isinstance(left, float) else left
    (tmp_path / STATE).write_bytes(content[:kept])
    with pytest.raises(ConfigError, match=r"state.pt cannot be read: .*; delete .* to train from"):
        load_state(tmp_path, "train-1")


@pytest.mark.parametrize("content", [5, {"updates": 1}, {"run": "train-1", "colour": 1}, [1]])
def test_other_files_of_torch_are_refused(content: object, tmp_path: Path) -> None:
    torch.save(content, tmp_path / STATE)
    with pytest.raises(ConfigError, match="cannot be read"):
        load_state(tmp_path, "train-1")


def test_damage_inside_is_refused_or_harmless(tmp_path: Path) -> None:
    """Each fiftieth byte is changed: errors always have a clear message."""
    save_state(tmp_path, make_state())
    content = bytearray((tmp_path / STATE).read_bytes())
    for place in range(0, len(content), 50):
        damaged = content.copy()
        damaged[place] ^= 0xFF
        (tmp_path / STATE).write_bytes(damaged)
        try:
            load_state(tmp_path, "train-1")
        except ConfigError:
            continue


def test_a_checkpoint_of_another_configuration_is_refused(tmp_path: Path) -> None:
    save_state(tmp_path, make_state("train-2"))
    with pytest.raises(ConfigError, match=r"belongs to train-2, .*; expected train-1"):
        load_state(tmp_path, "train-1")
