"""Reading the text, in Python: `corpus.text` trains, measures and applies the labellers.

Each way of labelling has rules that always work and a model that is trained first; a model is
named by its run, its folder, `rules`, or not at all, which means the last one trained.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from citescape.core.progress import Progress, silent
from citescape.runs.directory import default_runs
from citescape.store.graph_store import GraphStore
from citescape.text.intents.config import THRESHOLD

if TYPE_CHECKING:
    from citescape.text.abstracts.chat import ChatConfig
    from citescape.text.abstracts.evaluate import Evaluation
    from citescape.text.abstracts.label import SplitResult
    from citescape.text.abstracts.llm import LlmConfig
    from citescape.text.abstracts.train import SplitConfig, TrainResult
    from citescape.text.intents.config import IntentConfig
    from citescape.text.intents.evaluate import IntentEvaluation
    from citescape.text.intents.label import LabelledIntents
    from citescape.text.intents.model import TrainedIntents
    from citescape.text.sections.config import SectionConfig
    from citescape.text.sections.evaluate import SectionEvaluation
    from citescape.text.sections.label import LabelledSections
    from citescape.text.sections.model import TrainedSections


class Reading:
    """The labellers on one store. `runs` is where models are kept and looked for."""

    def __init__(self, store: GraphStore, runs: Path | None = None) -> None:
        self.store = store
        self.runs = runs or default_runs(store.location)

    def train_sections(
        self, config: SectionConfig | None = None, *, progress: Progress = silent
    ) -> TrainedSections:
        """Learns section types from those that rules tell, as `platform sections train` does."""
        from citescape.text.sections.model import train

        return train(self.store, config, runs=self.runs, progress=progress)

    def label_sections(self, model: str = "", *, progress: Progress = silent) -> LabelledSections:
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
        progress: Progress = silent,
    ) -> SectionEvaluation:
        """Compares ways to tell section types where titles are hidden.

        Of at most `config.papers` papers, half to learn from and half to test on.
        """
        from citescape.text.sections.config import SectionConfig
        from citescape.text.sections.evaluate import METHODS, evaluate
        from citescape.text.sections.model import read_corpus

        config, chosen = config or SectionConfig(), methods or tuple(METHODS)
        sections = read_corpus(self.store, papers=config.papers, seed=config.seed)
        return evaluate(sections, config, methods=chosen, seeds=seeds, progress=progress)

    def train_intents(
        self,
        *files: str | Path,
        config: IntentConfig | None = None,
        progress: Progress = silent,
    ) -> TrainedIntents:
        """Learns why works are cited from labelled contexts in SciCite's format."""
        from citescape.text.intents.model import train
        from citescape.text.intents.scicite import read_examples

        examples = read_examples([Path(file) for file in files])
        return train(examples, config, runs=self.runs, progress=progress)

    def label_intents(
        self,
        model: str = "",
        *,
        threshold: float = THRESHOLD,
        again: bool = False,
        progress: Progress = silent,
    ) -> LabelledIntents:
        """Labels in-text citations as background, method, result, several or none.

        Args:
            model: by its run, its folder or `rules`; empty for the last one trained.
            threshold: from which probability on a context has an intent.
            again: label anew what this model has labelled, as section types have changed.
            progress: told how far it is.

        Writes to the graph: Occurrence.intents and their probabilities, CITES.n_background,
        n_method, n_result.
        """
        from citescape.text.intents.label import label
        from citescape.text.intents.model import resolve_model

        found = resolve_model(self.runs, model)
        return label(self.store, found, threshold=threshold, again=again, progress=progress)

    def evaluate_intents(
        self,
        *files: str | Path,
        model: str = "",
        threshold: float = THRESHOLD,
        hard_cases: int = 10,
    ) -> IntentEvaluation:
        """Compares a model with labelled contexts that it was not trained on.

        Args:
            files: lines in SciCite's format.
            model: by its run, its folder or `rules`; empty for the last one trained.
            threshold: from which probability on a context has an intent.
            hard_cases: how many of the surest mistakes to return.
        """
        from citescape.text.intents.evaluate import evaluate
        from citescape.text.intents.model import resolve_model
        from citescape.text.intents.scicite import read_examples

        examples = read_examples([Path(file) for file in files])
        judge = resolve_model(self.runs, model).judge
        return evaluate(judge, examples, threshold=threshold, hard_cases=hard_cases)

    def train_split(
        self, config: SplitConfig | None = None, *, progress: Progress = silent
    ) -> TrainResult:
        """Learns to split abstracts from those with headings."""
        from citescape.text.abstracts.train import SplitConfig, train

        return train(self.store, config or SplitConfig(), runs=self.runs, progress=progress)

    def label_split(
        self,
        model: str = "",
        *,
        llm: ChatConfig | None = None,
        llm_config: LlmConfig | None = None,
        progress: Progress = silent,
    ) -> SplitResult:
        """Splits abstracts into background, method and result.

        Args:
            model: by its run, its folder or `rules`; empty for the last one trained.
            llm: an LLM to be asked instead; what it does not split is split by the model, by rules
                where none is named or trained.
            llm_config: how patiently it is asked for each abstract.
            progress: told how far it is.

        Writes to the graph: Paper.abstract_ends, abstract_facets, abstract_background,
        abstract_method, abstract_result, split_source, split_run; Run nodes.
        """
        from citescape.text.abstracts.label import label
        from citescape.text.abstracts.train import any_trained, load_splitter

        if llm is None:
            return label(self.store, load_splitter(model, self.runs), progress=progress)
        from citescape.text.abstracts.chat import Chat
        from citescape.text.abstracts.llm import LlmConfig, LlmSplitter

        named = model or ("" if any_trained(self.runs) else "rules")
        fallback = load_splitter(named, self.runs)
        with closing(Chat(llm)) as chat:
            splitter = LlmSplitter(chat, fallback, llm_config or LlmConfig())
            return label(self.store, splitter, progress=progress)

    def evaluate_split(
        self,
        *,
        kinds: Sequence[str] = (),
        seeds: Sequence[int] = (0, 1, 2),
        encoder: str = "",
        folds: bool = False,
        progress: Progress = silent,
    ) -> list[Evaluation]:
        """Compares ways to split abstracts, on structured ones with their headings hidden.

        Raises:
            ConfigError: the store holds too few structured abstracts.
        """
        from citescape.text.abstracts.evaluate import EVALUATED, evaluate
        from citescape.text.abstracts.gold import check_gold, collect_gold
        from citescape.text.abstracts.train import read_abstracts

        gold = collect_gold(read_abstracts(self.store, progress))
        check_gold(gold, self.store.location)
        chosen = kinds or EVALUATED
        return evaluate(
            gold, kinds=chosen, seeds=seeds, encoder=encoder, folds=folds, progress=progress
        )
