"""Papers to cite, in Python: `corpus.recommend` answers a sentence with papers and reasons.

From a sentence, or a manuscript, to papers:

    recommend = citescape.open("corpus.lbug").recommend
    found = recommend("Uptake of nitrogen depends on root depth [?].", title="Roots", k=5)
    found.papers[0].work, found.papers[0].sentences
    for place in recommend.draft("paper.tex"):
        place.want.line, place.recommended.papers

Profiles of the papers are made the first time, which takes minutes, and kept as a run; where papers
have changed since they are made anew. They stay in memory for the next question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.namespaces.learning import Run, name_run
from citescape.runs.directory import Stopwatch, default_runs, describe_run, is_run_id
from citescape.store.graph_store import GraphStore

if TYPE_CHECKING:
    from citescape.recommend.asked import Asked
    from citescape.recommend.drafts.wants import Draft, Want
    from citescape.recommend.lcr.prepare import LcrMeasuring
    from citescape.recommend.lcr.shortlists import ShortlistConfig
    from citescape.recommend.recommendations import Recommended
    from citescape.recommend.recommender import RecommendConfig, Recommender
    from citescape.training.reranking.config import RerankConfig
    from citescape.training.reranking.kept import RerankerRun
    from citescape.training.reranking.rerankers import Reranker


@dataclass(frozen=True)
class RecommendedPlace:
    """A place of a draft that wants a citation, and what is recommended for it."""

    want: Want
    recommended: Recommended


@dataclass(frozen=True)
class ProfilesConfig:
    """Which profiles contexts are held against, and what orders the papers found."""

    encoder: str = ""
    """Run id, folder or hub id; empty for that of the profiles named, else the default one."""
    max_tokens: int = 128
    """Of a text; profiles that are named have theirs, as they have alpha and beta."""
    profiles: Run = ""
    """Their run; empty for those of the store as it is now."""
    rerank: Run = ""
    """A trained reranker; empty for none."""
    alpha: float = 0.8
    """In profiles, of sentences that cite a paper (Profiler, Eq. 3)."""
    beta: float = 0.2
    """In profiles, of papers that cite it."""


class Recommending:
    """Recommendations of one store. `runs` is where profiles are kept."""

    def __init__(self, store: GraphStore, runs: Path | None = None) -> None:
        self.store = store
        self.runs = runs or default_runs(store.location)
        self.clock = Stopwatch()
        """How long what took, since this was made."""
        self._held: tuple[tuple[str, ProfilesConfig], Recommender] | None = None
        self._reranker: tuple[str, Reranker] | None = None
        self._state = "", ""
        """A revision of the store, and the state that its papers are in."""

    def __call__(
        self,
        context: str,
        *,
        title: str = "",
        abstract: str = "",
        before: str | int = "",
        k: int = 10,
        config: RecommendConfig | None = None,
        profiles: ProfilesConfig | None = None,
        progress: Progress = silent,
    ) -> Recommended:
        """Papers to cite in a sentence, as `platform recommend` finds them.

        Args:
            context: the sentence, with or without a marker such as `[?]`.
            title: of the paper that the sentence stands in.
            abstract: likewise.
            before: ISO 8601, or a year; only works that are surely older.
            k: how many papers.
            config: by which system, and how many sentences of each; its k is not looked at.
            profiles: which profiles, and a reranker.
            progress: told what is being done.

        Raises:
            ConfigError: the context has no words, the date is none, no paper is old enough.
            StoreError: no sentence of the store cites anything.
        """
        from citescape.recommend.asked import Asked

        asked = [Asked(context, title, abstract, str(before))]
        return self.ask(asked, _sized(config, k), profiles=profiles, progress=progress)[0]

    def draft(
        self,
        source: str | Path | Draft,
        *,
        title: str = "",
        abstract: str = "",
        before: str | int = "",
        k: int = 10,
        config: RecommendConfig | None = None,
        profiles: ProfilesConfig | None = None,
        progress: Progress = silent,
    ) -> list[RecommendedPlace]:
        """Papers for each place of a manuscript that wants a citation.

        Args:
            source: a file in LaTeX, Markdown or plain text, or what `read_draft` returned.
            title: by default the draft's.
            abstract: by default the draft's.
            before: as for one sentence, and so are the others.
            k: how many papers for each place.
            config: see above.
            profiles: see above.
            progress: told what is being done.

        Raises:
            ConfigError: there is no such file, or it wants no citation.
            SourceError: it is no text.
        """
        from citescape.recommend.asked import Asked
        from citescape.recommend.drafts.wants import read_draft

        draft = read_draft(Path(source)) if isinstance(source, str | Path) else source
        told = title or draft.title, abstract or draft.abstract, str(before)
        asked = [Asked(want.sentence, *told) for want in draft.wants]
        found = self.ask(asked, _sized(config, k), profiles=profiles, progress=progress)
        return [RecommendedPlace(*pair) for pair in zip(draft.wants, found, strict=True)]

    def ask(
        self,
        asked: Sequence[Asked],
        config: RecommendConfig | None = None,
        *,
        profiles: ProfilesConfig | None = None,
        progress: Progress = silent,
    ) -> list[Recommended]:
        """Papers for several sentences at once."""
        from citescape.recommend.asked import read_asked
        from citescape.recommend.recommender import RecommendConfig

        for one in asked:
            read_asked(one)  # before profiles are made: whether there is something to ask
        profiles = profiles or ProfilesConfig()
        rerank = self._open_reranker(name_run(profiles.rerank), progress)
        if rerank:
            rerank.check_retriever((config or RecommendConfig()).retriever)
        recommender = self.open(profiles, progress=progress)
        with self.clock.timed("answers"):
            return recommender.recommend(
                self.store, asked, config, rerank=rerank, progress=progress
            )

    def open(
        self, profiles: ProfilesConfig | None = None, *, progress: Progress = silent
    ) -> Recommender:
        """Profiles and their encoder, ready to be asked; they are made if they are not there.

        Raises:
            ConfigError: no such encoder or run, or the two do not belong together.
            StoreError: no sentence of the store cites anything.
        """
        from citescape.embeddings.steps import EmbedConfig
        from citescape.recommend.current import open_named, open_profiles
        from citescape.recommend.profiler import ProfileWeights
        from citescape.recommend.profiling import ProfileConfig
        from citescape.recommend.recommender import Recommender

        profiles = replace(profiles or ProfilesConfig(), rerank="")
        state = self._read_state()
        asked = state, profiles
        if self._held and self._held[0] == asked:
            return self._held[1]
        self._held = None  # two would not fit where one just does
        with self.clock.timed("profiles"):
            if named := name_run(profiles.profiles):
                told = open_named(self.store, named, runs=self.runs, encoder=profiles.encoder)
            else:
                encoder = EmbedConfig(profiles.encoder, max_tokens=profiles.max_tokens)
                weights = ProfileWeights(profiles.alpha, profiles.beta)
                config = ProfileConfig(weights, encoder)
                told = open_profiles(
                    self.store, config, runs=self.runs, state=state, progress=progress
                )
        progress("loading the encoder")
        with self.clock.timed("encoder"):
            made = Recommender(told[0], told[1].load())
        self._held = asked, made
        return made

    def train_reranker(
        self,
        config: RerankConfig | None = None,
        *,
        benchmark: Run = "",
        lists: ShortlistConfig | None = None,
        measuring: LcrMeasuring | None = None,
        checkpoint_seconds: float = 300.0,
        progress: Progress = silent,
    ) -> RerankerRun:
        """Trains a reranker on a benchmark's training sentences, as `platform rerank train` does.

        Args:
            config: encoder, model, loss, schedule.
            benchmark: of `evaluate.benchmark_contexts`; the last made if none.
            lists: which sentences, and what is retrieved for them.
            measuring: encoder and weights of the retriever.
            checkpoint_seconds: from one checkpoint to the next.
            progress: told where the training is.
        """
        from citescape.recommend.lcr.benchmark import find_lcr
        from citescape.recommend.lcr.prepare import LcrMeasuring
        from citescape.recommend.lcr.shortlists import check_training, train_on_benchmark
        from citescape.training.reranking.config import RerankConfig

        config, measuring = config or RerankConfig(kind="vectors"), measuring or LcrMeasuring()
        check_training(config, measuring, self.runs)
        _, task = find_lcr(self.runs, name_run(benchmark), location=self.store.location)
        return train_on_benchmark(
            task,
            config,
            lists=lists,
            measuring=measuring,
            runs=self.runs,
            checkpoint_seconds=checkpoint_seconds,
            progress=progress,
        )

    @property
    def told(self) -> dict[str, object]:
        """Which profiles are in memory, their encoder, seconds of each part of the work."""
        run = self._held[1].profiles.record if self._held else None
        made = {"profiles": run.id, "encoder": run.config["encoder"]} if run else {}
        return {**made, "timings": self.clock.timings}

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know of the profiles in memory."""
        from citescape.recommend.current import is_current

        if not self._held or is_current(self._held[1].profiles, self._read_state()):
            return ()
        return (
            f"{self._held[1].profiles.run} are profiles of another state of {self.store.location}",
        )

    def _read_state(self) -> str:
        """Of the store; read again once the store has changed."""
        from citescape.recommend.current import read_state

        revision = self.store.revision()
        if not revision or revision != self._state[0]:
            self._state = revision, read_state(self.store)
        return self._state[1]

    def _open_reranker(self, named: str, progress: Progress) -> Reranker | None:
        if not named:
            return None
        if self._reranker and self._reranker[0] == named:
            return self._reranker[1]
        from citescape.training.reranking.rerankers import open_reranker

        if "/" not in named and not is_run_id(named) and not Path(named).is_dir():
            missed = describe_run(self.runs, named)
            raise ConfigError(
                f"{missed}; expected a trained reranker: a run of `platform rerank train`, a "
                "folder, or a cross-encoder of Hugging Face, as owner/name"
            )
        progress("loading the reranker")
        with self.clock.timed("reranker"):
            self._reranker = named, open_reranker(named, self.runs)
        return self._reranker[1]


def _sized(config: RecommendConfig | None, k: int) -> RecommendConfig:
    from citescape.recommend.recommender import RecommendConfig

    return replace(config or RecommendConfig(), k=k)
