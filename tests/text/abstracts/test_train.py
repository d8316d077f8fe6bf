"""Training on a store: training data, excluded abstracts and too few examples."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import pytest

from citescape.core.errors import ConfigError, SourceError
from citescape.core.types import FACETS
from citescape.encoders.files import HUB_DEFAULT, locate
from citescape.encoders.pretrained import PretrainedEncoder
from citescape.runs.directory import read_run
from citescape.store.graph_store import GraphStore, open_store
from citescape.text.abstracts.abstract import SENTENCES_VERSION, MainAbstract
from citescape.text.abstracts.evaluate import evaluate, halves
from citescape.text.abstracts.facets import FacetLabels, Sentences
from citescape.text.abstracts.features import FEATURES_VERSION
from citescape.text.abstracts.gold import Gold, GoldAbstract, collect_gold
from citescape.text.abstracts.headings import HEADINGS_VERSION
from citescape.text.abstracts.linear import LINEAR_SETTINGS
from citescape.text.abstracts.rules import RuleSplitter
from citescape.text.abstracts.sequence import SentenceCrf, SequenceConfig
from citescape.text.abstracts.steps import Kind, TrainAbstracts
from citescape.text.abstracts.train import load_splitter, read_abstracts, train
from tests.text.abstracts.planted import fill, gold, structured, unstructured


@pytest.fixture
def corpus(tmp_path: Path) -> GraphStore:
    store = open_store(str(tmp_path / "corpus.lbug"))
    return fill(
        store, [*(structured(k) for k in range(30)), *(unstructured(k) for k in range(30, 35))]
    )


@pytest.fixture(autouse=True)
def few_steps(monkeypatch: pytest.MonkeyPatch) -> Callable[[], SequenceConfig]:
    """Shortens the training of the CRF."""
    short = partial(SequenceConfig, steps=40)
    monkeypatch.setattr("citescape.text.abstracts.sequence.SequenceConfig", short)
    return short


def test_headings_give_labels_and_are_removed_from_the_text() -> None:
    parts = ("Rice is a crop. It is old.", "We sowed it.", "It grew.", "NCT1.", "Both at once.")
    labels = ("Background", "Methods", "Results", "Trial registration", "Methods and Results")
    text = "Purpose: to know rice. Methods: We sowed it. Results: It grew. Conclusion: Good."
    abstract = MainAbstract("a", " ".join(parts), labels, parts)
    two = MainAbstract("b", "Old. New.", ("Background", "Conclusions"), ("Old.", "New."))
    gold_ = collect_gold([MainAbstract("d", "Plain text."), MainAbstract("c", text), two, abstract])
    assert [(g.id, g.facets) for g in gold_.complete] == [
        ("a", ("background", "background", "method", "result"))
    ]
    assert gold_.complete[0].sentences == (
        "Rice is a crop. ",
        "It is old.",
        "We sowed it.",
        "It grew.",
    )
    assert [g.id for g in gold_.incomplete] == ["b"]
    assert dict(gold_.left_out) == {"Trial registration": 1, "Methods and Results": 1}
    (written,) = gold_.written
    assert written.facets == ("background", "method", "result", "result")
    assert written.sentences == ("to know rice.", "We sowed it.", "It grew.", "Good.")


def test_a_training_is_recorded_and_not_repeated(
    corpus: GraphStore, tmp_path: Path, few_steps: Callable[[], SequenceConfig]
) -> None:
    first = train(corpus, runs=tmp_path / "runs")
    record = read_run(first.path)
    assert record.config == {
        "kind": "sequence",
        "seed": 0,
        "encoder": "",
        "headings": HEADINGS_VERSION,
        "sentences": SENTENCES_VERSION,
        "features": FEATURES_VERSION,
        "sequence": asdict(few_steps()),
    }
    assert record.counts["abstracts"] == 30
    facets = [f for k in range(30) for f in structured(k).heading_facets]
    assert record.counts["sentences"] == {facet: facets.count(facet) for facet in FACETS}
    again = train(corpus, runs=tmp_path / "runs")
    assert (first.unchanged, again.unchanged) == (False, True)
    assert again.record == record
    assert train(corpus, TrainAbstracts(seed=1), runs=tmp_path / "runs").record.id != record.id


@pytest.mark.parametrize("kind", ["position", "linear", "sequence"])
def test_a_trained_model_is_found_again(corpus: GraphStore, tmp_path: Path, kind: Kind) -> None:
    run = train(corpus, TrainAbstracts(kind), runs=tmp_path / "runs")
    for name in ("", run.record.id, str(run.path)):
        assert load_splitter(tmp_path / "runs", name).record.id == run.record.id


@pytest.mark.parametrize("kind", ["linear", "sequence"])
def test_every_input_of_training_changes_the_run(
    corpus: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    def run() -> str:
        return train(corpus, TrainAbstracts(kind), runs=tmp_path / "runs").record.id

    runs = {run()}
    if kind == "linear":
        monkeypatch.setitem(LINEAR_SETTINGS, "c", 1.0)
    else:
        once = partial(SequenceConfig, steps=5)
        monkeypatch.setattr("citescape.text.abstracts.sequence.SequenceConfig", once)
    runs.add(run())
    for name in ("HEADINGS_VERSION", "SENTENCES_VERSION", "FEATURES_VERSION"):
        monkeypatch.setattr(f"citescape.text.abstracts.train.{name}", 99)
        runs.add(run())
    assert len(runs) == 5


def test_a_model_with_other_features_is_reported(corpus: GraphStore, tmp_path: Path) -> None:
    path = train(corpus, TrainAbstracts("position"), runs=tmp_path).path
    record = json.loads((path / "run.json").read_text())
    record["config"]["features"] = 0
    (path / "run.json").write_text(json.dumps(record))
    with pytest.raises(SourceError, match=r"features of version 0.*train it again"):
        load_splitter(tmp_path, "")


def test_a_model_stores_its_encoder_with_settings(
    corpus: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model is also found from another folder."""
    monkeypatch.chdir(Path(locate(HUB_DEFAULT)).parent)
    folder = Path(locate(HUB_DEFAULT)).name
    run = train(corpus, TrainAbstracts("vectors", encoder=folder), runs=tmp_path / "runs")
    config = run.record.config
    assert config["encoder"] == str(Path(folder).resolve())
    assert (config["max_tokens"], config["precision"] in ("float32", "bfloat16")) == (128, True)
    monkeypatch.chdir(tmp_path)
    loaded = load_splitter(tmp_path / "runs", "")
    assert isinstance(loaded, SentenceCrf)
    assert isinstance(loaded.encode, PretrainedEncoder)
    assert loaded.encode.config.precision == config["precision"]
    assert [labels.facets for labels in loaded([structured(3).sentences])] == [
        tuple(structured(3).heading_facets)
    ]


def test_the_encoder_is_part_of_a_model(
    corpus: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CITESCAPE_ENCODER", raising=False)
    run = train(corpus, TrainAbstracts("vectors"), runs=tmp_path / "runs")
    assert run.record.config["encoder"] == HUB_DEFAULT
    assert TrainAbstracts("sequence", encoder="elsewhere").encoder == ""
    with pytest.raises(ConfigError, match="kind is 'forest'; expected one of"):
        TrainAbstracts("forest")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("abstracts", "message"),
    [
        ([], "holds no structured abstract"),
        (
            [unstructured(1), unstructured(2)],
            "holds no structured abstract.*--model rules. or --llm",
        ),
        ([structured(1), unstructured(2)], "1 structured abstracts .*background in 1, method in 1"),
        (
            [
                MainAbstract(f"p{k}", "Old. New.", ("Background", "Results"), ("Old.", "New."))
                for k in range(9)
            ],
            "0 structured abstracts .*background in 9, method in 0, result in 9",
        ),
    ],
    ids=["empty store", "no structured ones", "a single one", "a class missing"],
)
def test_training_needs_enough_abstracts(
    tmp_path: Path, abstracts: list[MainAbstract], message: str
) -> None:
    store = open_store(str(tmp_path / "s.lbug"))
    if abstracts:
        fill(store, abstracts)
    with pytest.raises(ConfigError, match=message):
        train(store, runs=tmp_path / "runs")


def test_invalid_models_are_refused(corpus: GraphStore, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    with pytest.raises(ConfigError, match=r"text abstracts train.*--model rules"):
        load_splitter(runs, "")
    path = train(corpus, TrainAbstracts("linear"), runs=runs).path
    record = json.loads((path / "run.json").read_text())
    (path / "run.json").write_text(json.dumps(record | {"config": {"kind": "sequence"}}))
    with pytest.raises(SourceError, match=r"of this version of citescape.*train it again"):
        load_splitter(runs, "")
    (path / "run.json").write_text(json.dumps(record | {"command": "sections train"}))
    with pytest.raises(ConfigError, match="a run of `platform text sections train`"):
        load_splitter(runs, str(path))
    (path / "run.json").write_text(json.dumps(record))
    (path / "model.safetensors").write_bytes(b"cut")
    with pytest.raises(SourceError, match="train it again"):
        load_splitter(runs, str(path))


def test_halves_share_no_paper_and_differ_by_seed() -> None:
    papers = gold(21)
    first, second = halves(papers, 0)
    assert (len(first), len(second)) == (10, 11)
    assert sorted(abstract.id for abstract in [*first, *second]) == sorted(
        abstract.id for abstract in papers
    )
    assert halves(papers, 1)[0] != first
    assert halves(papers, 0)[0] == first


def test_equal_texts_are_in_the_same_half() -> None:
    """Equal texts with other ids, case or white space; no text is both in training and in test."""
    papers = gold(20)
    copies = [
        GoldAbstract(
            f"copy-{abstract.id}",
            tuple(s.upper() + " " for s in abstract.sentences),
            abstract.facets,
        )
        for abstract in papers[:8]
    ]
    for seed in range(5):
        first, second = halves([*papers, *copies], seed)
        assert len(first) + len(second) == 28
        for abstract, copy in zip(papers, copies, strict=False):
            assert (abstract in first) == (copy in first)
    with pytest.raises(ConfigError, match=r"^3 distinct structured abstracts.* 4, "):
        evaluate(Gold(complete=[*papers[:3], *copies[:3]]))


def test_mistakes_are_shown_for_the_first_split(monkeypatch: pytest.MonkeyPatch) -> None:
    """The list is empty for a splitter without errors; each text is labelled once."""
    sizes: list[int] = []

    class Right(RuleSplitter):
        def __call__(self, abstracts: Sequence[Sentences]) -> list[FacetLabels]:
            sizes.append(len(abstracts))
            second = len(sizes) > 2
            return [
                FacetLabels(
                    ("method",) * len(known[abstract]) if second else known[abstract], "", ""
                )
                for abstract in map(tuple, abstracts)
            ]

    papers = gold(20)
    known = {abstract.sentences: abstract.facets for abstract in papers}
    monkeypatch.setattr("citescape.text.abstracts.evaluate.RuleSplitter", Right)
    (result,) = evaluate(Gold(complete=papers), kinds=("rules",), seeds=(0, 1))
    assert result.tests[0].accuracy == 1 > result.tests[1].accuracy
    assert result.errors == ()
    assert sizes == [10, 0, 10, 0]


def test_rules_are_measured_without_learning_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: str) -> None:
        raise ConfigError("torch not installed")

    monkeypatch.setattr("citescape.text.abstracts.evaluate.require", missing)
    papers = Gold(complete=gold(20))
    assert evaluate(papers, kinds=("rules",), seeds=(0,))[0].confusion.total
    with pytest.raises(ConfigError, match="torch not installed"):
        evaluate(papers, kinds=("rules", "position"), seeds=(0,))


def test_an_evaluation_compares_kinds_on_the_same_halves(corpus: GraphStore) -> None:
    rows = evaluate(collect_gold(read_abstracts(corpus)), seeds=(0, 1), folds=True)
    by = {row.kind: row for row in rows}
    assert list(by) == ["position", "rules", "linear", "sequence"]
    assert len({str([t.counts.sum(1) for t in row.tests]) for row in rows}) == 1
    assert all(len(row.tests) == len(row.folds) == 2 for row in rows)
    f1 = {kind: row.confusion.macro_f1 for kind, row in by.items()}
    assert f1["position"] < f1["sequence"]
    assert f1["sequence"] > 0.85
    errors = by["position"].errors
    table = by["position"].tests[0]
    assert len(errors) == table.total - table.counts.trace()
    assert all(case.true != case.predicted for case in errors)
    assert "written_macro_f1" not in by["rules"].as_dict()


def test_an_encoder_encodes_each_text_once(corpus: GraphStore) -> None:
    """An empty list of texts gives no vectors, as if no abstract had printed headings."""
    abstracts = collect_gold(read_abstracts(corpus))
    assert not abstracts.written
    (result,) = evaluate(abstracts, kinds=("vectors",), seeds=(0,))
    assert result.confusion.macro_f1 > 0.8
    assert "written_macro_f1" not in result.as_dict()


def test_an_evaluation_needs_two_halves() -> None:
    few = collect_gold([structured(k) for k in range(3)])
    with pytest.raises(ConfigError, match=r"^3 distinct structured abstracts.* 4, "):
        evaluate(few)
    with pytest.raises(ConfigError, match="kind is 'x'"):
        evaluate(collect_gold([structured(k) for k in range(9)]), kinds=("x",))


def test_all_abstracts_are_read_on_both_engines(fresh_store: Callable[[], GraphStore]) -> None:
    store = fill(fresh_store(), [structured(2), unstructured(1), "doi:10.1/nothing"])
    messages: list[str] = []
    abstracts = list(read_abstracts(store, messages.append))
    assert messages == ["reading: 0 of 3 papers"]
    assert [abstract.id for abstract in abstracts] == [unstructured(1).id, structured(2).id]
    assert abstracts[1] == structured(2)
