"""Reading the text, in Python: `corpus.text` trains, measures and applies the labellers.

Each way of labelling has rules that always work and a model that is trained first; a model is
named by its run, its folder, `rules`, or not at all, which means the last one trained.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from citescape.graph.store import GraphStore
from citescape.runs import default_runs

if TYPE_CHECKING:
    from citescape.text.abstracts.evaluate import Evaluation
    from citescape.text.abstracts.label import SplitResult
    from citescape.text.abstracts.train import SplitConfig, TrainResult
    from citescape.text.intents.config import IntentConfig
    from citescape.text.intents.evaluate import IntentEvaluation
    from citescape.text.intents.label import LabelledIntents
    from citescape.text.intents.model import TrainedIntents
    from citescape.text.sections.config import SectionConfig
    from citescape.text.sections.evaluate import SectionEvaluation
    from citescape.text.sections.label import LabelledSections
    from citescape.text.sections.model import TrainedSections

Progress = Callable[[str], None]


def _silent(_: str) -> None:
    """Says nothing."""


class Reading:
    """The labellers on one store. `runs` is where models are kept and looked for."""

    def __init__(self, store: GraphStore, runs: Path | None = None) -> None:
        self.store = store
        self.runs = runs or default_runs(store.location)

    def train_sections(
        self, config: SectionConfig | None = None, *, progress: Progress = _silent
    ) -> TrainedSections:
        """Learns section types from those that rules tell, as `platform sections train` does."""
        from citescape.text.sections.model import train

        return train(self.store, config, runs=self.runs, progress=progress)

    def label_sections(self, model: str = "", *, progress: Progress = _silent) -> LabelledSections:
        """Types the sections that rules leave open; `rules` takes back what models said.

        Writes to the graph: Section.type, type_source, type_probability, type_run.
        """
        from citescape.text.sections.label import label, resolve_model

        return label(self.store, resolve_model(self.runs, model), progress=progress)

    def evaluate_sections(
        self,
        config: SectionConfig | None = None,
        *,
        methods: Sequence[str] = (),
        seeds: Sequence[int] = (0, 1, 2),
        progress: Progress = _silent,
    ) -> SectionEvaluation:
        """Compares ways to tell section types where titles are hidden."""
        from citescape.text.sections.evaluate import METHODS, evaluate
        from citescape.text.sections.model import read_corpus

        sections, chosen = read_corpus(self.store), methods or tuple(METHODS)
        return evaluate(sections, config, methods=chosen, seeds=seeds, progress=progress)

    def train_intents(
        self,
        *files: str | Path,
        config: IntentConfig | None = None,
        progress: Progress = _silent,
    ) -> TrainedIntents:
        """Learns why works are cited from labelled contexts in SciCite's format."""
        from citescape.text.intents.model import train
        from citescape.text.intents.scicite import read_examples

        examples = read_examples([Path(file) for file in files])
        return train(examples, config, runs=self.runs, progress=progress)

    def label_intents(self, model: str = "", *, progress: Progress = _silent) -> LabelledIntents:
        """Labels in-text citations as background, method, result, several or none.

        Writes to the graph: Occurrence.intents and their probabilities, CITES.n_background,
        n_method, n_result.
        """
        from citescape.text.intents.label import label
        from citescape.text.intents.model import resolve_model

        return label(self.store, resolve_model(self.runs, model), progress=progress)

    def evaluate_intents(self, *files: str | Path, model: str = "") -> IntentEvaluation:
        """Compares a model with labelled contexts that it was not trained on."""
        from citescape.text.intents.evaluate import evaluate
        from citescape.text.intents.model import resolve_model
        from citescape.text.intents.scicite import read_examples

        examples = read_examples([Path(file) for file in files])
        return evaluate(resolve_model(self.runs, model).judge, examples)

    def train_split(
        self, config: SplitConfig | None = None, *, progress: Progress = _silent
    ) -> TrainResult:
        """Learns to split abstracts from those with headings."""
        from citescape.text.abstracts.train import SplitConfig, train

        return train(self.store, config or SplitConfig(), runs=self.runs, progress=progress)

    def label_split(self, model: str = "", *, progress: Progress = _silent) -> SplitResult:
        """Splits abstracts into background, method and result.

        Writes to the graph: Paper.abstract_ends, abstract_facets, abstract_background,
        abstract_method, abstract_result, split_source, split_run.
        """
        from citescape.text.abstracts.label import label
        from citescape.text.abstracts.train import load_splitter

        return label(self.store, load_splitter(model, self.runs), progress=progress)

    def evaluate_split(
        self, *, kinds: Sequence[str] = (), seeds: Sequence[int] = (0, 1, 2)
    ) -> list[Evaluation]:
        """Compares ways to split abstracts, on structured ones with their headings hidden."""
        from citescape.text.abstracts.evaluate import EVALUATED, evaluate
        from citescape.text.abstracts.gold import collect_gold
        from citescape.text.abstracts.train import read_abstracts

        gold = collect_gold(read_abstracts(self.store))
        return evaluate(gold, kinds=kinds or EVALUATED, seeds=seeds)
