"""BM25 over generated texts with long and short queries: citescape, tantivy and bm25s.

    python benchmarks/bm25.py            30,000 and a million papers, some minutes
    python benchmarks/bm25.py --quick    3,000 papers, results not kept

Words follow a power law; each paper has as many as a title and an abstract. All peers get the same
analysed words and return the best 500 papers of each query. A long query has all words of a paper,
a short query three of them. Scores are compared with the formula, computed pair by pair from
counts.
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import measure
import numpy as np

VOCABULARY, WORDS, K = 200_000, 110, 500
K1, B = 1.2, 0.75
SIZES = (30_000, 1_000_000)
QUERIES = {"long": 200, "short": 1000}
"""Number of queries; a tenth of these at the larger size."""
CHECKED = 3
NOTES = (
    "Words follow Zipf's law, from a vocabulary of 200,000; a paper has 110 on average after "
    "analysis. Peers get analysed words; tantivy splits at spaces. A long query has all words of "
    "a paper, a short one three. Each search returns the best 500. The scores of citescape are "
    "compared with the formula of Okapi BM25, pair by pair. tantivy stores the length of a text "
    "in one byte, so its order differs slightly. `index` is the cost of a ready index, from "
    "words (bm25s, tantivy) or from counts of words (citescape). Each peer has one thread; the "
    "index of tantivy is merged into one segment."
)
COLUMNS = {
    "peer": "peer",
    "papers": "papers",
    "index_cpu_seconds": "index, CPU s",
    "index_extra_mb": "index, peak MB above inputs",
    "long_ms": "long query, CPU ms",
    "short_ms": "short query, CPU ms",
    "times_long": "times citescape, long query",
    "times_short": "times citescape, short query",
    "search_extra_mb": "search, extra MB",
    "error": "largest error of scores",
}
Corpus = tuple[np.ndarray, np.ndarray]
"""Words of all papers in sequence, and the end of each paper, from 0."""


def make_corpus(papers: int, seed: int = 0) -> Corpus:
    """Words are numbers; lower numbers are more frequent."""
    chance = np.random.default_rng(seed)
    lengths = np.maximum(chance.normal(WORDS, WORDS / 3, papers).astype(np.int64), 5)
    odds = 1 / np.arange(30, VOCABULARY + 30)  # the most frequent words are stop words, left out
    steps = np.cumsum(odds / odds.sum())
    drawn = np.searchsorted(steps, chance.random(int(lengths.sum())))
    return np.minimum(drawn, VOCABULARY - 1).astype(np.int32), np.append(0, np.cumsum(lengths))


def choose_queries(corpus: Corpus, kind: str) -> list[np.ndarray]:
    """Words of some papers; short queries have the first three."""
    words, ends = corpus
    count = QUERIES[kind] if len(ends) <= SIZES[1] else QUERIES[kind] // 10
    papers = np.random.default_rng(3).choice(len(ends) - 1, min(count, len(ends) - 1), False)
    found = [words[ends[paper] : ends[paper + 1]] for paper in papers]
    return [query[:3] for query in found] if kind == "short" else found


def count(parts: list[np.ndarray]) -> Any:
    """(texts, words) counts like those of the package."""
    from scipy.sparse import csr_array

    ends = np.append(0, np.cumsum([len(part) for part in parts]))
    return count_corpus((np.concatenate(parts), ends)) if parts else csr_array((0, VOCABULARY))


def count_corpus(corpus: Corpus) -> Any:
    """(papers, words) counts."""
    from scipy.sparse import csr_array

    words, ends = corpus
    shape = (len(ends) - 1, VOCABULARY)
    ones = np.ones(len(words), np.float32)
    counts = csr_array((ones, words.copy(), ends.astype(np.int32)), shape=shape)  # changed in place
    counts.sum_duplicates()
    return counts


class Citescape:
    """The package; queries follow the papers of the pool in one corpus."""

    def __init__(self, corpus: Corpus, queries: dict[str, list[np.ndarray]]) -> None:
        from scipy.sparse import vstack

        self.papers = len(corpus[1]) - 1
        parts = [count_corpus(corpus), *(count(found) for found in queries.values())]
        self.counts = vstack(parts, format="csr")
        self.first = {
            kind: self.papers + sum(map(len, list(queries.values())[:place]))
            for place, kind in enumerate(queries)
        }

    def index(self) -> None:
        """Weights and postings."""
        from citescape.search.bm25 import Bm25

        self.pool = Bm25(self.counts, K1, B, threads=1).among(np.arange(self.papers))
        _ = self.pool.postings

    def search(self, kind: str, queries: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Papers and scores."""
        rows = np.arange(self.first[kind], self.first[kind] + len(queries))
        found = self.pool.search(rows, K)
        return found.papers, found.scores


class Tantivy:
    """tantivy; words are numbers that its tokenizer splits at blanks."""

    def __init__(self, corpus: Corpus, queries: dict[str, list[np.ndarray]]) -> None:
        words, ends = corpus
        names = [str(word) for word in range(VOCABULARY)]
        self.texts = [
            " ".join([names[word] for word in words[first:last].tolist()])
            for first, last in itertools.pairwise(ends.tolist())
        ]
        self.query_texts = {
            kind: [" ".join([names[word] for word in query.tolist()]) for query in found]
            for kind, found in queries.items()
        }

    def index(self) -> None:
        """In memory, one thread, one segment."""
        import tantivy

        schema = tantivy.SchemaBuilder()
        schema.add_text_field("text", stored=False, tokenizer_name="blanks", index_option="freq")
        self.engine = tantivy.Index(schema.build())
        blanks = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
        self.engine.register_tokenizer("blanks", blanks)
        writer = self.engine.writer(heap_size=1 << 30, num_threads=1)
        for text in self.texts:
            writer.add_document(tantivy.Document(text=text))
        writer.commit()
        writer.wait_merging_threads()
        self.engine.reload()

    def search(self, kind: str, queries: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Papers and scores, as many as were found."""
        searcher = self.engine.searcher()
        papers = np.full((len(queries), K), -1)
        scores = np.zeros(papers.shape)
        for row, text in enumerate(self.query_texts[kind]):
            found = searcher.search(self.engine.parse_query(text, ["text"]), K, count=False).hits
            papers[row, : len(found)] = [address.doc for _, address in found]
            scores[row, : len(found)] = [score for score, _ in found]
        return papers, scores


class Bm25s:
    """bm25s: sums of precomputed weights in numba."""

    def __init__(self, corpus: Corpus, queries: dict[str, list[np.ndarray]]) -> None:
        words, ends = corpus
        texts = [words[first:last].tolist() for first, last in itertools.pairwise(ends.tolist())]
        self.tokens = (texts, {str(word): word for word in range(VOCABULARY)})

    def index(self) -> None:
        """Formula of Lucene, which is that of citescape divided by k1 + 1."""
        import bm25s

        self.engine = bm25s.BM25(method="lucene", k1=K1, b=B, backend="numba")
        self.engine.index(self.tokens, show_progress=False)

    def search(self, kind: str, queries: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Papers and scores."""
        word_lists = [query.tolist() for query in queries]
        found = self.engine.retrieve(word_lists, k=K, n_threads=1, show_progress=False)
        return found.documents, found.scores * (K1 + 1)


PEERS: dict[str, tuple[str, Callable[..., Any]]] = {
    "citescape": ("numba", Citescape),
    "tantivy": ("tantivy", Tantivy),
    "bm25s": ("bm25s", Bm25s),
}


def score_plainly(corpus: Corpus, query: np.ndarray, papers: np.ndarray) -> np.ndarray:
    """The formula, computed pair by pair from words."""
    words, ends = corpus
    size, mean = len(ends) - 1, len(words) / (len(ends) - 1)
    owners = np.repeat(np.arange(size), np.diff(ends))
    having = {word: len(np.unique(owners[words == word])) for word in set(query.tolist())}
    scores = []
    for paper in papers.tolist():
        own = Counter(words[ends[paper] : ends[paper + 1]].tolist())
        relative = (ends[paper + 1] - ends[paper]) / mean
        scores.append(
            sum(
                math.log(1 + (size - having[word] + 0.5) / (having[word] + 0.5))
                * own[word]
                * (K1 + 1)
                / (own[word] + K1 * (1 - B + B * relative))
                for word in query.tolist()
            )
        )
    return np.array(scores)


def child(peer: str, papers: int) -> None:
    """Measures one peer, after a warm-up on a small corpus."""
    for size in (600, papers):
        corpus = make_corpus(size)
        queries = {kind: choose_queries(corpus, kind) for kind in QUERIES}
        system = PEERS[peer][1](corpus, queries)
        with measure.metered() as index:
            system.index()
        costs, found = {}, {}
        for kind, kind_queries in queries.items():
            with measure.metered() as cost:
                found[kind] = system.search(kind, kind_queries)
            costs[kind] = cost
    error = None
    if papers <= SIZES[0]:
        pairs = [(kind, place) for kind in QUERIES for place in range(CHECKED)]
        error = max(compare(corpus, queries[kind][at], found[kind], at) for kind, at in pairs)
    figures = {
        f"{kind}_ms": round(1000 * cost.cpu_seconds / len(queries[kind]), 3)
        for kind, cost in costs.items()
    }
    more = max(cost.extra_mb for cost in costs.values())
    measure.report(
        index,
        papers=papers,
        index_cpu_seconds=index.cpu_seconds,
        index_extra_mb=index.extra_mb,
        search_extra_mb=more,
        error=error,
        **figures,
    )


def compare(
    corpus: Corpus, query: np.ndarray, found: tuple[np.ndarray, np.ndarray], at: int
) -> float:
    """Largest relative difference from the formula."""
    is_found = found[1][at] > 0
    papers, scores = found[0][at][is_found][:50], found[1][at][is_found][:50]
    expected = score_plainly(corpus, query, papers)
    return float(np.max(np.abs(scores - expected) / expected))


def with_rates(rows: list[measure.Row]) -> list[measure.Row]:
    """Add the ratio of costs to those of citescape."""
    own = {row["papers"]: row for row in rows if row["peer"] == "citescape"}
    return [
        row
        | {
            f"times_{kind}": round(row[f"{kind}_ms"] / own[row["papers"]][f"{kind}_ms"], 2)
            for kind in QUERIES
        }
        for row in rows
    ]


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the smaller size")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(options.child[0], int(options.child[1]))
    rows: list[measure.Row] = []
    for papers in (SIZES[0] // 10,) if options.quick else SIZES:
        for peer, (library, _) in PEERS.items():
            if importlib.util.find_spec(library) is None:
                print(f"{peer}: {library} is not installed, left out")
            elif papers <= SIZES[0] or peer != "bm25s":
                rows.append({"peer": peer, **measure.run_alone(__file__, "--child", peer, papers)})
                print(rows[-1], flush=True)
    rows = with_rates(rows)
    measure.print_table(rows, COLUMNS)
    if options.quick:
        return
    libraries = [name for name, _ in PEERS.values() if importlib.util.find_spec(name)]
    path = measure.write_results("bm25", rows, libraries=libraries, notes=NOTES, columns=COLUMNS)
    print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
