"""Keeps profiles, encoder and reranker in memory between recommendations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from citescape.core.errors import ConfigError
from citescape.embeddings.steps import EmbedConfig
from citescape.recommend.current import is_current, open_named, open_profiles, read_state
from citescape.recommend.profiler import ProfileWeights
from citescape.recommend.profiling import ProfileConfig
from citescape.recommend.recommender import Recommender
from citescape.recommend.retriever import describe_retriever
from citescape.runs.context import Context
from citescape.runs.directory import Stopwatch, describe_run, is_run_id

if TYPE_CHECKING:
    from citescape.recommend.steps import Recommend
    from citescape.training.reranking.rerankers import Reranker


class RecommenderCache:
    """The recommender and the reranker used last."""

    def __init__(self) -> None:
        self._recommender: tuple[tuple[object, ...], Recommender] | None = None
        self._reranker: tuple[str, Reranker] | None = None

    def open(
        self, settings: Recommend, context: Context, clock: Stopwatch | None = None
    ) -> Recommender:
        """Profiles and their encoder; profiles of the current store are computed if missing.

        Args:
            settings: profiles, encoder, tokens per text and weights of profiles.
            context: store, folder of runs and default encoder.
            clock: times the stages `profiles` and `encoder`.

        Raises:
            ConfigError: no such encoder or run, or the two do not belong together.
            StoreError: no sentence of the store cites anything.
        """
        clock, state = clock or Stopwatch(), context.hold_current(read_state)
        named, encoder = str(settings.profiles), str(settings.encoder) or context.encoder
        key = (state, named, encoder, settings.max_tokens, settings.alpha, settings.beta)
        if self._recommender and self._recommender[0] == key:
            return self._recommender[1]
        self._recommender = None  # frees the memory before other profiles are loaded
        with clock.timed("profiles"):
            if named:
                run, resolved = open_named(context.store, named, runs=context.runs, encoder=encoder)
            else:
                config = ProfileConfig(
                    ProfileWeights(settings.alpha, settings.beta),
                    EmbedConfig(encoder, max_tokens=settings.max_tokens),
                )
                run, resolved = open_profiles(
                    context.store,
                    config,
                    runs=context.runs,
                    state=state,
                    progress=context.progress,
                )
        context.progress("loading the encoder")
        with clock.timed("encoder"):
            self._recommender = key, Recommender(run, resolved.load())
        return self._recommender[1]

    def open_reranker(
        self, settings: Recommend, context: Context, clock: Stopwatch
    ) -> Reranker | None:
        """The reranker of the settings; None without one.

        Args:
            settings: reranker, and the retriever whose lists it reorders.
            context: folder of runs.
            clock: times the stage `reranker`.

        Raises:
            ConfigError: no such reranker, or it was trained on the lists of another retriever.
        """
        named = str(settings.rerank)
        if not named:
            return None
        if not self._reranker or self._reranker[0] != named:
            from citescape.training.reranking.rerankers import open_reranker

            if "/" not in named and not is_run_id(named) and not Path(named).is_dir():
                raise ConfigError(
                    f"{describe_run(context.runs, named)}; expected a trained reranker: a run of "
                    "`platform train reranker`, a folder, or a cross-encoder of Hugging Face, as "
                    "owner/name"
                )
            context.progress("loading the reranker")
            with clock.timed("reranker"):
                self._reranker = named, open_reranker(named, context.runs)
        self._reranker[1].check_retriever(describe_retriever(settings.system, settings.words))
        return self._reranker[1]

    def describe_outdated(self, context: Context) -> tuple[str, ...]:
        """A note if the profiles in memory are those of another state of the store."""
        if not self._recommender:
            return ()
        profiles = self._recommender[1].profiles
        if is_current(profiles, context.hold_current(read_state)):
            return ()
        return (f"{profiles.run} are profiles of another state of {context.store.location}",)
