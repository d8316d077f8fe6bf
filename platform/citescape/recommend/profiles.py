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
from citescape.core.pairs import find_rows
from citescape.recommend.contexts import Contexts
from citescape.recommend.dates import Days
from citescape.recommend.lexicon import Lexicon
from citescape.recommend.library import read_dates
from citescape.recommend.profiler import Vectors
from citescape.recommend.retriever import CandidateIndex
from citescape.runs.kept import KeptRun
from citescape.search.listed import Rows

PAPERS, PAIRS, WORDS = "papers.parquet", "contexts.parquet", "words.parquet"
BASE, CONTEXTS, PROFILES = "base.npy", "contexts.npy", "profiles.npy"
PAPER_WORDS, CONTEXT_WORDS = "paper_words.npz", "context_words.npz"
Loaded = TypeVar("Loaded")


@dataclass(frozen=True)
class ProfileRun(KeptRun):
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

    def find_citing(self, papers: Rows) -> Rows:
        """Rows of `contexts` that cite some papers, given as rows of `papers`."""
        ends, order = self._citing
        parts = [order[ends[paper] : ends[paper + 1]] for paper in papers.tolist()]
        return np.concatenate([np.empty(0, np.int64), *parts])

    @cached_property
    def _citing(self) -> tuple[Rows, Rows]:
        """CSR of (paper, row of `contexts`): a query reads few rows."""
        cited = find_rows(self.contexts.pairs["cited"], self.ids)
        order = np.argsort(cited, kind="stable")
        return np.searchsorted(cited[order], np.arange(len(self.ids) + 1)), order

    @property
    def lexicon(self) -> Lexicon:
        """The words of papers and contexts."""
        words = self.read_table(WORDS, "word")["word"].to_pylist()
        own, contexts = (
            csr_array(self._load(name, load_npz)) for name in (PAPER_WORDS, CONTEXT_WORDS)
        )
        return Lexicon(words, own, contexts)

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

    @cached_property
    def latest(self) -> Days:
        """(papers,) last possible day of publication."""
        return read_dates(self.papers).span(self.ids)[1]

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
