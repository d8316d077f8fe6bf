"""Every kind of model is trained, kept, found again and judged."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from citescape.errors import ConfigError, SourceError
from citescape.runs import RunRecord
from citescape.text.intents.config import KINDS, IntentConfig
from citescape.text.intents.contexts import INTENTS, Context, predict
from citescape.text.intents.evaluate import evaluate
from citescape.text.intents.members import divide
from citescape.text.intents.model import COMMAND, RULES, load, resolve_model, train
from citescape.text.intents.scicite import Example
from citescape.text.saved_model import save_model

Make = Callable[..., list[Example]]


def config(kind: str, encoder: str, **more: object) -> IntentConfig:
    fast = {"epochs": 6, "batch": 8, "learning_rate": 3e-3, "head_learning_rate": 1e-2}
    return IntentConfig(kind=kind, encoder=encoder, threads=1, **{**fast, **more})  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_learns_and_is_kept(
    kind: str, examples: Make, tiny_encoder: str, tmp_path: Path
) -> None:
    told: list[str] = []
    chosen = config(kind, tiny_encoder)
    made = train(examples(240), chosen, runs=tmp_path, progress=told.append)
    unseen = examples(100, seed=9)
    model = load(made.path)
    found = evaluate(model.judge, unseen)
    assert found.confusion.macro_f1 > 0.95
    assert found.confusion.total == sum(len(e.intents) == 1 for e in unseen)
    assert found.calibration_error < 0.15
    assert told[0].startswith("training: ")
    assert made.held_out["macro_f1"] > 0.9
    assert made.examples == 240
    assert set(made.intents) == set(INTENTS)

    record = json.loads((made.path / "run.json").read_text())
    assert (record["command"], record["seed"]) == (COMMAND, 0)
    again = train(list(reversed(examples(240))), chosen, runs=tmp_path)
    assert (again.run, again.unchanged) == (made.run, True), "order does not matter"


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_model(
    kind: str, examples: Make, tiny_encoder: str, tmp_path: Path
) -> None:
    contexts = [example.context for example in examples(30, seed=5)]
    found = []
    for folder in ("a", "b"):
        chosen = config(kind, tiny_encoder, epochs=1)
        made = train(examples(120), chosen, runs=tmp_path / folder)
        found.append(predict(load(made.path).judge, contexts))
    assert np.array_equal(*found)
    assert ((found[0] >= 0) & (found[0] <= 1)).all()


def test_a_linear_model_is_applied_without_scikit_learn_and_torch(
    examples: Make, tmp_path: Path
) -> None:
    made = train(examples(120), IntentConfig(), runs=tmp_path)
    code = f"""
import sys
from pathlib import Path
from citescape.text.intents.model import load
from citescape.text.intents.contexts import Context, predict
p = predict(load(Path({str(made.path)!r})).judge, [Context("We measured zinc [1].", "", "M")])
assert p.argmax() == 1, p
print([name for name in ("sklearn", "torch", "transformers") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


def test_odd_contexts_have_probabilities(examples: Make, tiny_encoder: str, tmp_path: Path) -> None:
    made = train(examples(120), config("combined", tiny_encoder, epochs=1), runs=tmp_path)
    odd = [Context("x" * 100_000), Context("word " * 20_000), Context(""), Context("\x00é漢 [1]")]
    found = predict(load(made.path).judge, odd)
    assert np.isfinite(found).all()
    assert found[2].tolist() == [0, 0, 0]


def test_too_little_to_learn_from(examples: Make, tmp_path: Path) -> None:
    without = [e for e in examples(240) if "result" not in e.intents]
    with pytest.raises(ConfigError, match="result missing or rare in the training data"):
        train(without, runs=tmp_path)
    assert not list(tmp_path.iterdir())


def test_no_encoder_at_hand(examples: Make, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no pretrained encoder '/absent'.*linear"):
        train(examples(240), config("transformer", "/absent"), runs=tmp_path)


def test_models_that_are_none(examples: Make, tiny_encoder: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no trained model in .*`platform intents train`: run"):
        resolve_model(tmp_path, "")
    with pytest.raises(ConfigError, match="no model 'intents-0'; expected the folder of a run"):
        resolve_model(tmp_path, "intents-0")
    other = RunRecord("sections-1", "sections train", {}, {})
    save_model(tmp_path, other, {"x": np.zeros(1)})
    with pytest.raises(ConfigError, match="model of `platform sections train`; expected one of"):
        resolve_model(tmp_path, "sections-1")
    made = train(examples(120), config("transformer", tiny_encoder, epochs=1), runs=tmp_path)
    for file in (made.path / "encoder").iterdir():
        file.unlink()
    with pytest.raises(SourceError, match="train the model again"):
        load(made.path)
    record = json.loads((made.path / "run.json").read_text())
    record["config"]["unheard_of"] = 1
    (made.path / "run.json").write_text(json.dumps(record))
    with pytest.raises(SourceError, match=r"as this citescape trains them.*train it again"):
        load(made.path)
    (made.path / "model.safetensors").write_bytes(b"cut")
    with pytest.raises(SourceError, match="expected the tensors of a trained model"):
        load(made.path)
    with pytest.raises(ConfigError, match="kind is 'svm'; expected one of: combined, linear"):
        IntentConfig(kind="svm")


def test_rules_are_a_model_without_training(tmp_path: Path) -> None:
    rules = resolve_model(tmp_path, RULES)
    assert rules.record.id.startswith("intents-rules-")
    assert rules.record.id == resolve_model(tmp_path / "other", RULES).record.id


def test_groups_are_never_divided(examples: Make) -> None:
    found = examples(200)
    part = divide(found, 5, seed=1)
    where: dict[str, set[int]] = {}
    for example, k in zip(found, part.tolist(), strict=True):
        where.setdefault(example.group, set()).add(k)
    assert all(len(parts) == 1 for parts in where.values())
    assert np.bincount(part).tolist() == pytest.approx([40] * 5, abs=3)
    alone = [example._replace(group="") for example in found]
    assert np.bincount(divide(alone, 5, seed=1)).tolist() == [40] * 5


def test_hard_cases_are_the_surest_mistakes(examples: Make) -> None:
    found = examples(60)
    sure = {example.context: 0.5 + k / 200 for k, example in enumerate(found)}

    def judge(contexts: object) -> np.ndarray:  # type: ignore[type-arg]
        return np.array([[sure[context], 0.1, 0.1] for context in contexts])  # type: ignore[attr-defined]

    result = evaluate(judge, found, hard_cases=4)  # type: ignore[arg-type]
    wrong = sorted((-sure[e.context], e.intents) for e in found if "background" not in e.intents)
    assert [(-case.probability, case.true) for case in result.hard_cases] == wrong[:4]
    assert {case.given for case in result.hard_cases} == {"background"}
    assert result.unlabelled == 0
    assert result.several == 0
    assert result.as_dict()["examples"] == 60
