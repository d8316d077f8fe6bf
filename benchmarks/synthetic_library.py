"""A generated library of papers for benchmarks: vectors, words and citations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

DIMENSIONS, VOCABULARY = 384, 200_000
TITLE, CONTEXT, QUERY = 12, 60, 25
"""Number of words of a title, of the citing contexts of a paper, and of a query."""
CITATIONS, TOKENS = 1.6, 128
"""Citations per paper; tokens per text."""
PROFILED = 0.3
"""Share of papers that are cited."""
_CLUSTERS, _PART = 200, 100_000
Rows = np.ndarray


def make_vectors(count: int, seed: int) -> Rows:
    """(count, 384) in clusters, computed in parts to save memory."""
    chance = np.random.default_rng(seed)
    centres = np.random.default_rng(0).normal(size=(_CLUSTERS, DIMENSIONS)).astype(np.float32)
    found = np.empty((count, DIMENSIONS), np.float32)
    for first in range(0, count, _PART):
        part = found[first : first + _PART]
        chance.standard_normal(out=part, dtype=np.float32)
        part += centres[chance.integers(0, _CLUSTERS, len(part))]
    return found


def make_words(lengths: Rows, seed: int) -> Any:
    """(texts, words) counts by Zipf's law, without the 30 most frequent words, like analysers."""
    from scipy.sparse import csr_array

    chance = np.random.default_rng(seed)
    odds = 1 / np.arange(30, VOCABULARY + 30)
    drawn = np.searchsorted(np.cumsum(odds / odds.sum()), chance.random(int(lengths.sum())))
    words = make_vocabulary()[1][np.minimum(drawn, VOCABULARY - 1)].astype(np.int32)
    ends = np.append(0, np.cumsum(lengths)).astype(np.int32)
    shape = (len(lengths), VOCABULARY)
    counts = csr_array((np.ones(len(words), np.float32), words, ends), shape=shape)
    counts.sum_duplicates()
    return counts


def make_queries(count: int) -> Any:
    """Queries without a date limit."""
    from citescape.recommend.queries import ContextQueries

    return ContextQueries.from_vectors(make_vectors(count, 3), make_words(np.full(count, QUERY), 4))


def take(queries: Any, part: slice) -> Any:
    """A slice of the queries."""
    return type(queries)(
        queries.ids[part],
        queries.vectors[part],
        queries.words[part],
        queries.citing[part],
        queries.before[part],
    )


def write_library(folder: Path, papers: int) -> None:
    """Writes a store of papers, `synthetic.lbug`, and a run of their profiles in `runs`."""
    from citescape.embeddings.steps import EmbedConfig
    from citescape.recommend.encoding import ResolvedEncoder
    from citescape.recommend.profiles import ProfileRun
    from citescape.runs.directory import RunRecord, open_run
    from citescape.store.graph_store import Change, open_store

    cited_by = make_citations(papers, int(CITATIONS * papers))
    with closing(open_store(str(folder / "synthetic.lbug"))) as store:
        for name, rows in make_graph(papers, cited_by):
            store.apply([Change("insert", name, rows)])
    reading = ResolvedEncoder.from_config(EmbedConfig(max_tokens=TOKENS), folder)
    config = {**reading.describe(), "encoder": reading.name}
    record = RunRecord.create(ProfileRun.command, config, {"encoder": reading.sha256})
    with open_run(folder / "runs", record.id) as run:
        write_profiles(run.path, papers, cited_by)
        run.complete(replace(record, counts={"computed": papers}))


def make_graph(papers: int, cited_by: Any) -> Iterator[tuple[str, Any]]:
    """Tables of the graph and their rows: full texts with one section, a sentence per context."""
    import pyarrow as pa

    contexts, citing = number_contexts(cited_by)
    every, full = np.arange(papers), np.unique(citing)
    loader = pa.array(["made-1" if there else None for there in np.isin(every, full)], pa.string())
    ids, texts, sections = name(every), name(full), name(full, "#s")
    columns = {"title": ids, "sha256": ids, "surnames": pa.array([["Wu", "Li"]] * papers)}
    yield fill("Paper", id=ids, year=pa.array(1990 + every % 35), loader=loader, **columns)
    yield fill("Section", id=sections, title=sections)
    yield fill("HAS_SECTION", **{"from": texts, "to": sections})
    occurrences = name_contexts(contexts, citing, "#o")
    yield fill("Occurrence", id=occurrences, context=occurrences, ordinal=pa.array(contexts))
    yield fill("CONTAINS", **{"from": name(citing, "#s"), "to": occurrences})
    cited = np.repeat(every, np.diff(cited_by.indptr))
    pairs = np.unique(np.stack([spread(cited_by.citing), cited]), axis=1)
    weight = pa.array(np.full(pairs.shape[1], 0.5))
    yield fill("CITES", **{"from": name(pairs[0]), "to": name(pairs[1])}, importance=weight)


def fill(table: str, **columns: Any) -> tuple[str, Any]:
    """A table of the graph; missing columns are null."""
    import pyarrow as pa

    from citescape.store.schema import TABLE

    size = len(next(iter(columns.values())))
    fields = TABLE[table].arrow
    rows = [columns.get(field.name, pa.nulls(size)).cast(field.type) for field in fields]
    return table, pa.table(rows, schema=fields)


def name(rows: Rows, end: str = "") -> Any:
    """Ids of papers, sorted like the rows."""
    import pyarrow as pa

    return pa.array([f"p{row:07d}{end}" for row in rows.tolist()])


def name_contexts(contexts: Rows, citing: Rows, sign: str = "#") -> Any:
    """Ids of contexts or of their occurrences."""
    import pyarrow as pa

    pairs = zip(citing.tolist(), contexts.tolist(), strict=True)
    return pa.array([f"p{paper:07d}{sign}{context}" for paper, context in pairs])


def spread(citing: Rows) -> Rows:
    """The full text that represents a citing paper: one paper in fifty has a full text."""
    full: Rows = citing - citing % 50
    return full


def number_contexts(cited_by: Any) -> tuple[Rows, Rows]:
    """Contexts and their citing papers."""
    contexts, first = np.unique(cited_by.contexts, return_index=True)
    return contexts, spread(cited_by.citing[first])


def write_profiles(folder: Path, papers: int, cited_by: Any) -> None:
    """Writes files of a run of profiles; vectors and words are random."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from scipy.sparse import save_npz

    from citescape.recommend.profiles import BASE, CONTEXT_WORDS, PAPER_WORDS, PROFILES, WORDS

    chance, counts = np.random.default_rng(5), cited_by.count_citing()
    base, profiled = make_vectors(papers, 1), counts > 0
    np.save(folder / BASE, base)
    base[profiled] += 0.5 * make_vectors(int(profiled.sum()), 2)
    np.save(folder / PROFILES, base)
    lengths = chance.poisson(TITLE, papers)
    for file, words, seed in ((PAPER_WORDS, lengths, 6), (CONTEXT_WORDS, CONTEXT * profiled, 7)):
        save_npz(folder / file, make_words(words, seed), compressed=False)
    pq.write_table(pa.table({"word": make_vocabulary()[0]}), folder / WORDS)
    dates = pa.array(chance.integers(1990, 2025, papers).astype(str))
    columns = {**dict.fromkeys(("id", "title", "abstract"), name(np.arange(papers))), "date": dates}
    numbers = {"cited_by": pa.array(counts), "print": pa.array(np.zeros(papers))}
    pq.write_table(pa.table(columns | numbers), folder / "papers.parquet")
    write_contexts(folder, cited_by)


def write_contexts(folder: Path, cited_by: Any) -> None:
    """Writes citations of contexts, and vectors of contexts."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    contexts, citing = number_contexts(cited_by)
    row = np.searchsorted(contexts, cited_by.contexts)
    cited = np.repeat(np.arange(len(cited_by)), np.diff(cited_by.indptr))
    ids = name_contexts(cited_by.contexts, citing[row])
    columns = {"context": ids, "citing": name(citing[row]), "cited": name(cited), "text": ids}
    pq.write_table(
        pa.table({**columns, "row": pa.array(row, pa.int32())}), folder / "contexts.parquet"
    )
    np.save(folder / "contexts.npy", make_vectors(len(contexts), 10))


@cache
def make_vocabulary() -> tuple[list[str], Rows]:
    """Sorted words, and their rank by frequency; frequent words are words of the encoder."""
    from citescape.core.types import Document
    from citescape.encoders.saved import encoder_settings, load_document_encoder
    from citescape.search.words import count_words

    known = load_document_encoder("", encoder_settings("")).encoder.tokenizer.get_vocab()
    texts = " ".join(word for word in sorted(known) if word.isascii() and word.isalpha())
    real = [word for word in count_words([Document("", texts)])[0] if len(word) > 3]
    np.random.default_rng(11).shuffle(real)
    signs = str.maketrans("0123456789", "bcfhjkmpvz")
    generated = [f"zz{word:06d}".translate(signs) for word in range(VOCABULARY - len(real))]
    words = np.array([*real, *generated])
    order = np.argsort(words)
    return words[order].tolist(), np.argsort(order)


def make_texts(count: int) -> list[tuple[str, str]]:
    """Sentences and titles of real words with the frequencies of `make_words`."""
    words, places = make_vocabulary()
    real = sum(not word.startswith("zz") for word in words)
    odds = 1 / np.arange(30, real + 30)
    chance = np.random.default_rng(12)
    drawn = chance.choice(real, (count, QUERY + TITLE), p=odds / odds.sum())
    texts = [[words[places[rank]] for rank in row] for row in drawn]
    return [(" ".join(row[:QUERY]), " ".join(row[QUERY:])) for row in texts]


def open_profiles(folder: Path) -> Any:
    """Opens the run of `write_library`."""
    from citescape.recommend.profiles import ProfileRun
    from citescape.runs.directory import read_run

    (path,) = (folder / "runs").glob("profile-*")
    return ProfileRun(path, read_run(path))


def make_citations(papers: int, citations: int) -> Any:
    """Citations with contexts: two citations per context, and 30 % of papers are cited.

    Citation counts are as skewed as in `shared.py`.
    """
    from citescape.recommend.neighbourhoods import InwardNeighbourhoods

    chance = np.random.default_rng(8)
    cited = np.sort((papers * PROFILED * chance.random(citations) ** 2).astype(np.int64))
    cited = np.sort(chance.permutation(papers)[cited])
    contexts = chance.permutation(citations) // 2
    citing = np.random.default_rng(9).integers(0, papers, -(-citations // 2))[contexts]
    order = np.lexsort((contexts, citing, cited))
    ends = np.append(0, np.cumsum(np.bincount(cited, minlength=papers)))
    return InwardNeighbourhoods(ends, citing[order], contexts[order])
