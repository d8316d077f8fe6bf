"""Profiles of all papers of a library, in a run directory, ready to be searched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TypeVar
from zipfile import BadZipFile

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array, load_npz

from citescape.core.errors import SourceError, library_reason
from citescape.recommend.contexts import Contexts
from citescape.recommend.fields import Scores
from citescape.recommend.lexicon import Lexicon
from citescape.recommend.profiler import Vectors
from citescape.recommend.retriever import CandidateIndex
from citescape.recommend.searchable import CitedPapers
from citescape.recommend.tiles import scale
from citescape.recommend.word_weight import WordWeightChoice
from citescape.runs.kept import KeptRun
from citescape.runs.result import Summary
from citescape.search.listed import Rows

PAPERS, PAIRS, WORDS = "papers.parquet", "contexts.parquet", "words.parquet"
BASE, CONTEXTS, PROFILES = "base.npy", "contexts.npy", "profiles.npy"
PAPER_WORDS, CONTEXT_WORDS = "paper_words.npz", "context_words.npz"
WORD_WEIGHT = "word_weight"
"""Content of a `WordWeightChoice`, in the record of a run."""
Loaded = TypeVar("Loaded")


@dataclass(frozen=True)
class ProfileRun(KeptRun, CitedPapers):
    """Vectors and words of papers and of the contexts that cite them.

    papers.parquet: `id`, `title`, `abstract`, `date`, `cited_by`: number of distinct citing papers,
    `print`: fingerprint of the input of the profile; contexts.parquet: `Contexts.pairs` and `row`,
    that of the context's vector, -1 for one without words; base.npy, profiles.npy: (papers, d);
    contexts.npy: (contexts with words, d), ids ascending; words.parquet, paper_words.npz (titles
    and abstracts), context_words.npz (citing contexts): see `Lexicon`.
    """

    command = "profile"
    noun = "profiles"
    required = ("inputs.encoder", "counts.computed")

    @property
    def encoder(self) -> str:
        """SHA-256 of the encoder's files."""
        return str(self.record.inputs["encoder"])

    @cached_property
    def papers(self) -> pa.Table:
        """A row per paper, ids ascending."""
        return self.read_table(PAPERS, "id", "title", "abstract", "date", "cited_by", "print")

    @cached_property
    def ids(self) -> pa.StringArray:
        """(papers,) ascending."""
        return self.papers["id"].combine_chunks()

    @cached_property
    def contexts(self) -> Contexts:
        """The contexts that are part of the profiles."""
        pairs = self.read_table(PAIRS, "context", "citing", "cited", "text", "row")
        return Contexts(pairs.combine_chunks())  # taking rows of several chunks copies all of them

    @property
    def profiles(self) -> Vectors:
        """(papers, d), on disk."""
        return self._open(PROFILES)

    @property
    def base(self) -> Vectors:
        """(papers, d), on disk."""
        return self._open(BASE)

    @property
    def context_vectors(self) -> Vectors:
        """(contexts, d), on disk."""
        return self._open(CONTEXTS)

    def compare(self, contexts: Rows, query: Vectors) -> Scores:
        """(c,) cosines of the vectors of contexts and of a query (d,)."""
        cosines: Scores = scale(self.context_vectors[contexts]) @ scale(query[None])[0]
        return cosines

    @property
    def lexicon(self) -> Lexicon:
        """The words of papers and contexts."""
        words = self.read_table(WORDS, "word")["word"].to_pylist()
        own, contexts = (
            csr_array(self._load(name, load_npz)) for name in (PAPER_WORDS, CONTEXT_WORDS)
        )
        return Lexicon(words, own, contexts)

    @property
    def word_weight_choice(self) -> WordWeightChoice | None:
        """Weight of words in fused scores, chosen on these profiles or on earlier ones."""
        content = self.record.request.get(WORD_WEIGHT)
        return WordWeightChoice.from_record(content) if content else None

    @property
    def index(self) -> CandidateIndex:
        """Index of all papers."""
        return CandidateIndex(
            self.base,
            self.profiles,
            self.lexicon,
            self.papers["cited_by"].to_numpy() > 0,
            self.latest,
        )

    def summarise(self) -> Summary:
        """Numbers of papers and sentences, and of profiles that were computed anew."""
        counts = self.counts
        texts = f"{counts['papers']:,} papers, {counts['contexts']:,} citing sentences"
        new = "" if self.unchanged else f"; {counts['computed']:,} profiles computed"
        chosen = self.word_weight_choice
        return Summary(
            [f"{texts}{new}", *([chosen.describe()] if chosen else []), self.describe()],
            {
                "run": self.run,
                "path": str(self.path),
                "unchanged": self.unchanged,
                "word_weight": chosen.to_record() if chosen else None,
                **counts,
            },
            [("what to cite", 'recommend --context "a sentence [?]"')],
        )

    def _open(self, name: str) -> Vectors:
        return self._load(name, partial(np.load, mmap_mode="r", allow_pickle=False))

    def _load(self, name: str, load: Callable[[Path], Loaded]) -> Loaded:
        try:
            return load(self.path / name)
        except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
            raise SourceError(
                str(self.path / name),
                "not-a-result",
                f"expected an array; found: {library_reason(error)}; move the folder away and "
                "run the command again",
            ) from None
