"""Every kind of model is trained, stored, found again and evaluated."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from citescape.core.errors import ConfigError, SourceError
from citescape.runs.directory import RunDirectory, Stopwatch
from citescape.text.intents import model as models
from citescape.text.intents import transformer
from citescape.text.intents.calibration import Calibration
from citescape.text.intents.contexts import INTENTS, CitationContext, predict
from citescape.text.intents.evaluate import evaluate
from citescape.text.intents.members import divide_examples
from citescape.text.intents.model import RULES, IntentRun, resolve_model, train
from citescape.text.intents.scicite import Example
from citescape.text.intents.steps import KINDS, IntentConfig
from citescape.text.model_run import keep_model, load_model, write_tensors
from citescape.text.sections.model import SectionModel
from tests.forks import COMMAND_LINE, Forks
from tests.text.intents.conftest import SENTENCES

Make = Callable[..., list[Example]]


def config(kind: str, encoder: str, **more: object) -> IntentConfig:
    fast = {"epochs": 6, "batch": 8, "learning_rate": 3e-3, "head_learning_rate": 1e-2}
    return IntentConfig(kind=kind, encoder=encoder, threads=1, **{**fast, **more})  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_learns_and_is_stored(
    kind: str, examples: Make, tiny_encoder: str, tmp_path: Path
) -> None:
    messages: list[str] = []
    chosen = config(kind, tiny_encoder)
    run = train(examples(240), chosen, runs=tmp_path, progress=messages.append)
    unseen = examples(100, seed=9)
    model = run.load()
    result = evaluate(model.classify, unseen)
    assert result.confusion.macro_f1 > 0.95
    assert result.confusion.total == sum(len(e.intents) == 1 for e in unseen)
    assert result.calibration_error < 0.15
    assert messages[0].startswith("training: ")
    assert run.counts["held_out"]["macro_f1"] > 0.9
    assert run.counts["examples"] == 240
    assert set(run.counts["intents"]) == set(INTENTS)

    record = json.loads((run.path / "run.json").read_text())
    assert (record["command"], record["seed"]) == ("intents train", 0)
    again = train(list(reversed(examples(240))), chosen, runs=tmp_path)
    assert (again.run, again.unchanged) == (run.run, True), "order does not matter"


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_model(
    kind: str, examples: Make, tiny_encoder: str, tmp_path: Path
) -> None:
    contexts = [example.context for example in examples(30, seed=5)]
    result = []
    for folder in ("a", "b"):
        chosen = config(kind, tiny_encoder, epochs=1)
        run = train(examples(120), chosen, runs=tmp_path / folder)
        result.append(predict(run.load().classify, contexts))
    assert np.array_equal(*result)
    assert ((result[0] >= 0) & (result[0] <= 1)).all()


def test_a_linear_model_is_applied_without_scikit_learn_and_torch(
    examples: Make, tmp_path: Path
) -> None:
    run = train(examples(120), IntentConfig(), runs=tmp_path)
    code = f"""
import sys
from pathlib import Path
from citescape.text.intents.model import resolve_model
from citescape.text.intents.contexts import CitationContext, predict
classify = resolve_model(Path(), {str(run.path)!r}).classify
p = predict(classify, [CitationContext("We measured zinc [1].", "", "M")])
assert p.argmax() == 1, p
print([name for name in ("sklearn", "torch", "transformers") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


def test_unusual_contexts_have_probabilities(
    examples: Make, tiny_encoder: str, tmp_path: Path
) -> None:
    run = train(examples(120), config("combined", tiny_encoder, epochs=1), runs=tmp_path)
    contexts = [
        CitationContext("x" * 100_000),
        CitationContext("word " * 20_000),
        CitationContext(""),
        CitationContext("\x00é漢 [1]"),
    ]
    result = predict(run.load().classify, contexts)
    assert np.isfinite(result).all()
    assert result[2].tolist() == [0, 0, 0]


@pytest.mark.parametrize("kind", KINDS)
def test_examples_of_one_paper_cannot_be_split(
    kind: str, examples: Make, tiny_encoder: str, tmp_path: Path
) -> None:
    """Otherwise scikit-learn raises an error, and a transformer learns NaN."""
    result = examples(240)
    results = [e._replace(group="one") if "result" in e.intents else e for e in result]
    n = sum("result" in example.intents for example in result)
    wanted = rf"with intent result .* the {n} examples are of 1 citing paper, .*citingPaperId"
    with pytest.raises(ConfigError, match=wanted):
        train(results, config(kind, tiny_encoder), runs=tmp_path)
    with pytest.raises(ConfigError, match="of 1 citing paper, "):
        train([e._replace(group="nan") for e in result], config(kind, tiny_encoder), runs=tmp_path)
    assert not list(tmp_path.iterdir())


def test_unused_settings_do_not_change_the_model(
    examples: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = train(examples(120), IntentConfig(), runs=tmp_path)
    monkeypatch.setenv("CITESCAPE_ENCODER", "/elsewhere")
    unused = IntentConfig(encoder="/absent", epochs=9, learning_rate=0.1, threads=7)
    again = train(examples(120), unused, runs=tmp_path)
    assert (again.run, again.unchanged) == (run.run, True)
    assert IntentConfig(**again.record.config) == IntentConfig()
    assert train(examples(120), replace(unused, seed=1), runs=tmp_path).run != run.run
    whole = replace(unused, kind="combined", strength=2.0)
    assert whole.reset_unused() == whole
    alone = replace(whole, kind="transformer")
    assert alone.reset_unused() == replace(alone, strength=IntentConfig.strength)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"kind": "svm"}, "kind is 'svm'; expected one of: combined, linear"),
        ({"batch": 0}, "batch is 0; expected 1 or more"),
        ({"folds": 1}, "folds is 1; expected 2 or more"),
        ({"held_out": 0.9}, r"held_out is 0\.9; expected more than 0, at most 0\.5"),
        ({"held_out": 0.0}, "held_out is 0"),
        ({"kept_layers": 1.5}, r"kept_layers is 1\.5; expected"),
        ({"learning_rate": float("nan")}, "learning_rate is nan; expected"),
        ({"strength": 0.0}, "strength is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"max_tokens": 4}, "max_tokens is 4; expected 16 or more"),
    ],
)
def test_invalid_settings_are_refused(setting: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        IntentConfig(**setting)


def test_models_with_nan_are_not_stored(
    examples: Make, tiny_encoder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def diverges(member: transformer.TransformerMember, *_: object) -> None:
        next(member.encoder.parameters()).data.fill_(float("nan"))

    def lost(*_: object) -> Calibration:
        return Calibration(np.full((1, 3), np.inf, np.float32), np.zeros(3, np.float32))

    monkeypatch.setattr(transformer, "_train", diverges)
    with pytest.raises(
        ConfigError, match=r"did not converge.*expected a learning_rate below 0\.003"
    ):
        train(examples(240), config("transformer", tiny_encoder), runs=tmp_path)
    monkeypatch.setattr(models, "calibrate", lost)
    with pytest.raises(ConfigError, match="numbers in slopes that are not finite"):
        train(examples(240), IntentConfig(), runs=tmp_path)
    assert not list(tmp_path.iterdir())


def test_headings_longer_than_the_encoder_allows(
    examples: Make, tiny_encoder: str, tmp_path: Path
) -> None:
    """The encoder has 64 positions; a token is a Chinese character."""
    run = train(examples(120), config("transformer", tiny_encoder, epochs=1), runs=tmp_path)
    tensors = {name.removeprefix("transformer."): run.tensors[name] for name in run.tensors}
    member = transformer.TransformerMember.load(
        tensors, run.path, IntentConfig(**run.record.config)
    )
    contexts = [
        CitationContext("We measured zinc.", "土壤有机质" * 40, "M"),
        CitationContext("We measured zinc. " * 100, "土壤有机质" * 40, "M"),
        CitationContext("We measured zinc. " * 100, "2. Methods", "M"),
        CitationContext("x", ""),
    ]
    ids = member.tokenise(contexts)
    assert [len(row) <= 64 for row in ids] == [True] * 4
    assert [row.count(member.tokenizer.sep_token_id) for row in ids] == [2] * 4
    sentence = member.tokenizer("measured", add_special_tokens=False)["input_ids"]
    assert all(sentence[0] in row for row in ids[:3]), "the sentence is read too"
    assert np.isfinite(predict(run.load().classify, contexts)).all()
    assert member.tokenise([]) == []


def test_a_transformer_is_trained_without_scikit_learn(
    examples: Make, tiny_encoder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without(name: str) -> object:
        return None if name == "sklearn" else find_spec(name)

    monkeypatch.setattr(f"{models.require.__module__}.find_spec", without)
    train(examples(120), config("transformer", tiny_encoder, epochs=1), runs=tmp_path)
    for kind in ("linear", "combined"):
        with pytest.raises(ConfigError, match=r"sklearn not installed; .*citescape\[learn\]"):
            train(examples(120), config(kind, tiny_encoder), runs=tmp_path)


WITHOUT_TORCH = """
import sys
from importlib.machinery import PathFinder

class Blind(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "transformers"):
            return None
        return super().find_spec(name, path, target)

sys.meta_path[:] = [Blind if finder is PathFinder else finder for finder in sys.meta_path]
import citescape.corpus, sklearn.linear_model, sklearn.model_selection  # what takes time
"""


def test_a_linear_model_is_trained_and_used_without_torch(papers: Path, tmp_path: Path) -> None:
    examples = [
        {"string": text.format(x=f"x{k}", y="y", n=10 + k), "sectionName": title, "label": label}
        for k in range(20)
        for label, (text, title, _) in SENTENCES.items()
    ]
    (tmp_path / "train.jsonl").write_text("\n".join(map(json.dumps, examples)), encoding="utf-8")

    with closing(Forks()) as forks:
        forks.warm(WITHOUT_TORCH)
        for words, status in (
            (("ingest", papers, "--workers", 1), 0),
            (("text", "intents", "train", "train.jsonl"), 0),
            (("text", "intents", "label"), 0),
            (("text", "intents", "evaluate", "train.jsonl"), 0),
            (("text", "intents", "train", "train.jsonl", "--kind", "transformer"), 1),
        ):
            done = forks.run(COMMAND_LINE, *words, "--store", "s.lbug", folder=tmp_path)
            assert done.returncode == status, done.stderr
    assert "torch, transformers not installed" in done.stderr


def test_training_needs_enough_examples(examples: Make, tmp_path: Path) -> None:
    without = [e for e in examples(240) if "result" not in e.intents]
    with pytest.raises(ConfigError, match="result missing or rare in the training data"):
        train(without, runs=tmp_path)
    assert not list(tmp_path.iterdir())


def test_an_unwritable_runs_folder_is_refused_before_training(
    examples: Make, tmp_path: Path
) -> None:
    (tmp_path / "runs").write_text("a file")
    messages: list[str] = []
    with pytest.raises(ConfigError, match="cannot write run directories"):
        train(examples(200), runs=tmp_path / "runs", progress=messages.append)
    assert messages == []


def test_a_missing_encoder_is_reported(examples: Make, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no pretrained encoder '/absent'.*--encoder"):
        train(examples(240), config("transformer", "/absent"), runs=tmp_path)


def test_invalid_models_are_refused(examples: Make, tiny_encoder: str, tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"no trained models in .*text intents train.*--model rules"
    ):
        resolve_model(tmp_path, "")
    with pytest.raises(ConfigError, match="no run 'intents-0'"):
        resolve_model(tmp_path, "intents-0")

    def fill(directory: RunDirectory, _: Stopwatch) -> dict[str, int]:
        write_tensors(directory.path, {"x": np.zeros(1)})
        return {}

    other = keep_model(SectionModel, {"seed": 0}, {}, runs=tmp_path, fill=fill)
    with pytest.raises(ConfigError, match="a run of `platform text sections train`; expected"):
        resolve_model(tmp_path, other.run)
    run = train(examples(120), config("transformer", tiny_encoder, epochs=1), runs=tmp_path)
    for file in (run.path / "encoder").iterdir():
        file.unlink()
    with pytest.raises(SourceError, match="train the model again"):
        load_model(IntentRun, tmp_path, run.run)
    (run.path / "encoder").rmdir()
    with pytest.raises(SourceError, match=r"encoder: .*train the model again"):
        resolve_model(tmp_path, run.run)
    record = json.loads((run.path / "run.json").read_text())
    record["config"]["unheard_of"] = 1
    (run.path / "run.json").write_text(json.dumps(record))
    with pytest.raises(SourceError, match=r"of this version of citescape.*train it again"):
        load_model(IntentRun, tmp_path, run.run)
    del record["config"]["unheard_of"]
    (run.path / "run.json").write_text(json.dumps(record))
    (run.path / "model.safetensors").write_bytes(b"cut")
    with pytest.raises(SourceError, match="expected the tensors of a trained model"):
        load_model(IntentRun, tmp_path, run.run)


def test_rules_are_a_model_without_training(tmp_path: Path) -> None:
    rules = resolve_model(tmp_path, RULES)
    assert rules.record.id.startswith("intents-rules-")
    assert rules.record.id == resolve_model(tmp_path / "other", RULES).record.id


def test_groups_are_never_split(examples: Make) -> None:
    result = examples(200)
    part = divide_examples(result, 5, seed=1)
    where: dict[str, set[int]] = {}
    for example, k in zip(result, part.tolist(), strict=True):
        where.setdefault(example.group, set()).add(k)
    assert all(len(parts) == 1 for parts in where.values())
    assert np.bincount(part).tolist() == pytest.approx([40] * 5, abs=3)
    alone = [example._replace(group="") for example in result]
    assert np.bincount(divide_examples(alone, 5, seed=1)).tolist() == [40] * 5


def test_errors_are_ordered_by_probability(examples: Make) -> None:
    labelled = examples(60)
    sure = {example.context: 0.5 + k / 200 for k, example in enumerate(labelled)}

    def classify(contexts: object) -> np.ndarray:  # type: ignore[type-arg]
        return np.array([[sure[context], 0.1, 0.1] for context in contexts])  # type: ignore[attr-defined]

    result = evaluate(classify, labelled, max_errors=4)  # type: ignore[arg-type]
    wrong = sorted((-sure[e.context], e.intents) for e in labelled if "background" not in e.intents)
    assert [(-case.probability, case.true) for case in result.errors] == wrong[:4]
    assert {case.predicted for case in result.errors} == {"background"}
    assert result.without_intent == 0
    assert result.several_intents == 0
    assert result.as_dict()["examples"] == 60
