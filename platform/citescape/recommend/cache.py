"""Keeps profiles, encoder and reranker, or words, in memory between recommendations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError
from citescape.core.extras import find_missing, name_extras
from citescape.recommend.current import (
    count_new_texts,
    find_profiles,
    is_current,
    open_named,
    open_profiles,
    read_state,
)
from citescape.recommend.encoding import COMMAND, ResolvedEncoder
from citescape.recommend.graph_contexts import read_library
from citescape.recommend.profiles import ProfileRun
from citescape.recommend.profiling import ProfileConfig
from citescape.recommend.recommender import Recommender
from citescape.recommend.retriever import DEFAULT, describe_retriever
from citescape.recommend.worded import WordedLibrary
from citescape.runs.context import Context
from citescape.runs.directory import Stopwatch, describe_run, is_run_id, list_runs
from citescape.runs.step import command_words, name_runs
from citescape.store.graph_store import GraphStore

if TYPE_CHECKING:
    from citescape.recommend.steps import Recommend
    from citescape.training.reranking.rerankers import Reranker


FEW_TEXTS = 1000
"""Texts that are encoded before an answer without being asked for: some ten seconds of a core."""


class RecommenderCache:
    """The recommender and the reranker used last."""

    def __init__(self) -> None:
        self._recommender: tuple[tuple[object, ...], str, Recommender] | None = None
        """Its settings, the state of the store, and the recommender."""
        self._reranker: tuple[str, Reranker] | None = None

    def open(
        self, settings: Recommend, context: Context, clock: Stopwatch | None = None
    ) -> Recommender:
        """Profiles and their encoder, or the words of the store.

        Profiles of the current store that are missing are computed if the settings ask for a system
        that needs vectors, or if they name no system and at most `FEW_TEXTS` texts are new. Else
        the store is searched by words, which takes seconds.

        Args:
            settings: system, profiles, encoder, tokens per text and weights of profiles.
            context: store, folder of runs and default encoder.
            clock: times the stages `profiles` and `encoder`.

        Raises:
            ConfigError: no such encoder or run, or the two do not belong together.
            StoreError: no sentence of the store cites anything.
        """
        clock, config = clock or Stopwatch(), settings.profile_config(context)
        named, encoder = str(settings.profiles), name_runs(config.encoder.encoder)
        key = (named, encoder, settings.max_tokens, settings.alpha, settings.beta)
        if self._recommender and self._recommender[:2] == (key, context.hold_current(read_state)):
            return self._recommender[2]
        self._recommender = None  # frees the memory before other profiles are loaded
        library = None
        missing = settings.missing_vectors
        if not (named or missing == "make all" or _has_profiles(config, context)):
            context.progress("reading citing sentences")
            with clock.timed("words"):
                by_words = context.hold_current(read_words)
            words = by_words.profiles
            assert isinstance(words, WordedLibrary)
            if missing == "answer by words" or not _lacks_few(words, config, context):
                return by_words
            library = words.library
        state = context.hold_current(read_state)
        with clock.timed("profiles"):
            if named:
                run, resolved = open_named(context.store, named, runs=context.runs, encoder=encoder)
            else:
                run, resolved = open_profiles(
                    context.store,
                    config,
                    runs=context.runs,
                    state=state,
                    library=library,
                    progress=context.progress,
                )
        context.progress("loading the encoder")
        with clock.timed("encoder"):
            self._recommender = key, state, Recommender(run, resolved.load())
        return self._recommender[2]

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
        system = settings.system or DEFAULT
        reranker = self._reranker[1]
        word_weight = settings.word_weight
        if word_weight is None:  # the lists then have the weight of the training
            word_weight = reranker.retriever.get("word_weight")
        reranker.check_retriever(describe_retriever(system, word_weight))
        return reranker

    def describe_missing(
        self, recommender: Recommender, settings: Recommend, context: Context
    ) -> str:
        """A note that vectors are missing, and the command that makes them."""
        from citescape.recommend.steps import Prepare

        if missing := find_missing("torch", "transformers"):
            first = f"pip install {name_extras(missing)}, then "
        else:
            first = ""
        step = Prepare(
            alpha=settings.alpha,
            beta=settings.beta,
            encoder=settings.encoder,
            max_tokens=settings.max_tokens,
        )
        command = quote_command(command_words("prepare", step), context.location)
        papers, sentences = recommender.profiles.ids, recommender.profiles.contexts
        return (
            f"found by words alone: the vectors of {len(papers):,} papers and {len(sentences):,} "
            f"citing sentences are missing; {first}{command} makes them once, for better answers"
        )

    def describe_outdated(self, context: Context) -> tuple[str, ...]:
        """A note if the profiles in memory are those of another state of the store."""
        if not self._recommender:
            return ()
        profiles = self._recommender[2].profiles
        assert isinstance(profiles, ProfileRun)
        if is_current(profiles, context.hold_current(read_state)):
            return ()
        return (f"{profiles.run} are profiles of another state of {context.store.location}",)


def read_words(store: GraphStore) -> Recommender:
    """A recommender by the words of a store."""
    return Recommender(WordedLibrary.from_library(read_library(store)), None)


def _has_profiles(config: ProfileConfig, context: Context) -> bool:
    """Whether profiles of the current store exist, and the libraries that encode queries."""
    if find_missing("torch", "transformers") or not list_runs(context.runs, ProfileRun.command):
        return False
    encoder = ResolvedEncoder.from_config(config.encoder, context.runs)
    state = context.hold_current(read_state)
    return find_profiles(config, encoder, state, runs=context.runs) is not None


def _lacks_few(words: WordedLibrary, config: ProfileConfig, context: Context) -> bool:
    """Whether the vectors of at most `FEW_TEXTS` texts are missing, and can be made."""
    if find_missing("torch", "transformers"):
        return False
    if len(words.ids) > FEW_TEXTS and not list_runs(context.runs, COMMAND):
        return False
    encoder = ResolvedEncoder.from_config(config.encoder, context.runs)
    return count_new_texts(words, encoder, context.runs) <= FEW_TEXTS
