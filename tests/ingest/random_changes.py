"""Random papers that share works and people, and random changes of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256

import numpy as np
import pyarrow as pa

from citescape.core.counts import Counts
from citescape.core.errors import ConfigError
from citescape.core.progress import silent
from citescape.core.types import (
    Author,
    Identifiers,
    Losses,
    Notice,
    Occurrence,
    Paper,
    Reference,
    Section,
    Venue,
)
from citescape.ingest import author_pairs, author_scores, author_statistics, author_updates
from citescape.ingest import authors as author_module
from citescape.ingest import resolve as resolve_module
from citescape.ingest.batches import PaperWriter
from citescape.ingest.decisions import names_of
from citescape.ingest.index.files import StoreIndex, open_index
from citescape.ingest.parse import REPORT, Parsed, report_row, unchanged_row
from citescape.ingest.resolve import resolve
from citescape.ingest.tables import paper_id, paper_tables
from citescape.papers.identity import join_works, split_works, undo_decision
from citescape.papers.removal import remove_papers, remove_source
from citescape.store.graph_store import Change, GraphStore
from citescape.store.schema import TABLE
from citescape.store.state import read_meta

SOURCES = ("jats", "openalex", "tei")
_WORDS = (
    *("genome wide identification", "of drought tolerance", "in rice and maize", "a review"),
    *("the role of nitrogen", "in wheat breeding", "methods for mapping", "quantitative loci"),
)
_PEOPLE = (
    *(("Wang", "Li"), ("Wang", "Lei"), ("Wang", "L"), ("Müller", "Anna Maria"), ("Muller", "A M")),
    *(("Smith", "JAM"), ("Smith", "John"), ("Jones", "Jam"), ("Jones", "J"), ("Garcia", "Ana")),
)
_JOURNALS = (("Plant Journal", "Plant J"), ("Field Crops Research", "Field Crop Res"))


@dataclass(frozen=True)
class _Work:
    ids: Identifiers
    title: str
    year: int
    authors: tuple[Author, ...]
    journal: tuple[str, str]
    volume: str
    page: str


def _works(rng: random.Random, count: int) -> list[_Work]:
    found = []
    for number in range(count):
        title = " ".join(rng.sample(_WORDS, 2)) + rng.choice(("", f" {number % 5}"))
        authors = [Author(*name) for name in rng.sample(_PEOPLE, rng.randint(1, 3))]
        if rng.random() < 0.3:
            authors[0] = authors[0]._replace(orcid=f"0000-0000-0000-000{rng.randint(0, 4)}")
        ids = Identifiers(
            f"10.1000/{number}" if rng.random() < 0.7 else None,
            f"{500 + number}" if rng.random() < 0.5 else None,
            f"PMC{number}" if rng.random() < 0.2 else None,
            f"W{number}" if rng.random() < 0.4 else None,
        )
        journal, year = rng.choice(_JOURNALS), 2000 + rng.randint(0, 3)
        place = (str(rng.randint(1, 3)), str(rng.randint(1, 5)))
        found.append(_Work(ids, title, year, tuple(authors), journal, *place))
    return found


def _entry(rng: random.Random, work: _Work, other: _Work, number: int) -> Reference:
    """An entry of a reference list, with what such lists leave out and get wrong."""
    ids = [id_ if rng.random() < 0.5 else None for id_ in work.ids]
    if rng.random() < 0.06:
        kind = rng.randrange(len(ids))
        ids[kind] = other.ids[kind]  # a misprint
    title = rng.choice((work.title, work.title, work.title.replace("a review", "review"), ""))
    text = ""
    if rng.random() < 0.1:
        text = f"{work.authors[0].surname} {work.authors[0].given[:1]}. {work.title}. {work.year}"
        title = ""
    full = rng.random() < 0.6
    return Reference(
        f"B{number}",
        str(number + 1),
        Identifiers(*ids),
        title,
        "" if text else rng.choice(work.journal),
        None if text else work.year + (rng.random() < 0.1),
        work.volume if full and not text else "",
        work.page if full and not text else "",
        () if text else tuple(a._replace(given=a.given[:1], orcid=None) for a in work.authors),
        False,
        text,
    )


def _paper(rng: random.Random, works: Sequence[_Work], path: str) -> Paper:
    """A version of a paper as a file of one source has it."""
    source, text = path.split("/")[:2]
    number = int(text)
    work = works[number]
    cited = rng.sample(range(len(works)), rng.randint(0, 5))
    references = tuple(
        _entry(rng, works[i], works[(i + 1) % len(works)], n) for n, i in enumerate(cited)
    )
    kept = [id_ if rng.random() < 0.8 else None for id_ in work.ids]
    ids = Identifiers(*kept)
    has_text = source != "openalex"
    occurrences = tuple(
        Occurrence(0, rng.randrange(len(references)), f"Text {n}.", "1", 0.5)
        for n in range(rng.randint(0, 4) if references else 0)
    )
    authors = work.authors if rng.random() < 0.9 else work.authors[:1]
    notices = ()
    if rng.random() < 0.1:
        about = works[(number + 1) % len(works)].ids
        notices = (Notice("retraction", "notice", about, Identifiers(), "2012-01"),)
    paper = Paper(
        path=path,
        sha256="",
        ids=ids,
        title=work.title,
        year=work.year,
        article_type=rng.choice(("research-article", "preprint")),
        venue=Venue(work.journal[0]),
        authors=authors,
        keywords=tuple(rng.sample(("Maize", "maize", "rice"), 2)),
        sections=(Section("Introduction", "body", 1, None, "intro", 9, "T", "I", "title", False),)
        if has_text
        else (),
        references=references,
        occurrences=occurrences if has_text else (),
        losses=Losses(len(occurrences), 0),
        notices=notices,
        own_id=f"{source}:{number}",
        loader=f"{source}-1",
        source=source,
        versions=(works[(number + 2) % len(works)].ids,) if rng.random() < 0.2 else (),
        edition=rng.choice((0, 0, 0, 1)),
    )
    return replace(paper, sha256=sha256(repr(paper).encode()).hexdigest())


def _record_of(paper: Paper) -> tuple[str, str]:
    """Source and paper: a source has one record of it."""
    return paper.source, paper_id(paper)


@dataclass
class Changing:
    """A store whose papers change, and the papers and decisions that it should have."""

    store: GraphStore
    seed: int
    files: dict[str, Paper] = field(default_factory=dict)
    """Path -> its paper; the last one loaded is the last."""

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.works = _works(self.rng, 14)

    def run(self, steps: int) -> Iterator[str]:
        """Makes random changes; yields what was changed."""
        self._load([f"{self.rng.choice(SOURCES)}/{n}" for n in range(8)])
        yield "start"
        for _ in range(steps):
            act = self.rng.choice(("add", "add", "correct", "remove", "source", "decide", "undo"))
            yield f"{act} {getattr(self, f'_{act}')()}"

    def _load(self, paths: Sequence[str]) -> list[str]:
        return self._load_papers({path: _paper(self.rng, self.works, path) for path in paths})

    def _load_papers(self, new: dict[str, Paper]) -> list[str]:
        load_papers(self.store, list(new.values()))
        for path, paper in new.items():
            if path in self.files and self.files[path].sha256 == paper.sha256:
                continue  # unchanged
            counting, before = self._counting(), self.files.pop(path, None)
            if before is not None and counting[_record_of(before)] is before:
                is_other = _record_of(before) != _record_of(paper)
                if is_other or paper.edition < before.edition:  # read again by the next ingest
                    self._forget({_record_of(before)})
            self.files[path] = paper
        return sorted(new)

    def _counting(self) -> dict[tuple[str, str], Paper]:
        """The paper that counts of each record.

        It is that of the highest edition, of equal ones the last; the same content again is a copy.
        """
        found: dict[tuple[str, str], Paper] = {}
        for paper in self.files.values():
            known = found.get(_record_of(paper))
            is_copy = known is not None and paper.sha256 == known.sha256
            if known is None or (paper.edition >= known.edition and not is_copy):
                found[_record_of(paper)] = paper
        return found

    def _forget(self, records: Collection[tuple[str, str]]) -> None:
        self.files = {k: p for k, p in self.files.items() if _record_of(p) not in records}

    def _add(self) -> object:
        several = self.rng.randint(1, 2)
        return self._load(
            [
                f"{self.rng.choice(SOURCES)}/{self.rng.randrange(len(self.works))}"
                for _ in range(several)
            ]
        )

    def _correct(self) -> object:
        """Loads another version of a file, one in another file, or the same in another file."""
        if not self.files:
            return None
        path = self.rng.choice(sorted(self.files))
        kind = self.rng.choice(("version", "version", "version", "further", "copy"))
        if kind != "copy":
            return self._load([path if kind == "version" else f"{path}/copy"])
        work = "/".join(path.split("/")[:2])
        of_work = [own for own in self.files if own == work or own.startswith(f"{work}/")]
        target = self.rng.choice(sorted({*of_work, f"{path}/copy"} - {path}))
        return self._load_papers({target: replace(self.files[path], path=target)})

    def _remove(self) -> object:
        rows = self.store.read(
            "MATCH (p:Paper) WHERE p.fulltext RETURN p.id AS id, p.source_paths AS paths"
        )
        if not rows.num_rows:
            return None
        row = self.rng.choice(sorted(rows.to_pylist(), key=str))
        remove_papers(self.store, [row["id"]], progress=silent)
        self._forget({_record_of(self.files[path]) for path in row["paths"]})
        return row["id"]

    def _source(self) -> object:
        source = self.rng.choice(SOURCES)
        if self.rng.random() < 0.6 or not any(p.source == source for p in self.files.values()):
            return None
        remove_source(self.store, source, progress=silent)
        self.files = {path: p for path, p in self.files.items() if p.source != source}
        return source

    def _decide(self) -> object:
        columns = "r.id AS id, r.doi AS doi, r.pmid AS pmid, r.pmcid AS pmcid, "
        rows = self.store.read(
            f"MATCH (r:Reference) RETURN {columns} r.openalex AS openalex, r.s2 AS s2, r.key AS key"
        )
        names = sorted({name for name in names_of(rows).to_pylist() if name})
        if len(names) < 2:
            return None
        first, second = self.rng.sample(names, 2)
        for act in self.rng.sample((join_works, split_works), 2):
            with suppress(ConfigError):
                act(self.store, first, second, progress=silent)
                return act.__name__, first, second
        return None

    def shuffled(self, rng: random.Random) -> list[Paper]:
        """The papers of all files in another order, apart from those of one record."""
        papers = list(self.files.values())
        rng.shuffle(papers)
        of_record: dict[tuple[str, str], list[Paper]] = {}
        for paper in self.files.values():
            of_record.setdefault(_record_of(paper), []).append(paper)
        return [of_record[_record_of(paper)].pop(0) for paper in papers]

    def decide_again(self, store: GraphStore, decisions: pa.Table) -> None:
        """Makes the decisions in another store, before any paper is loaded."""
        rows = decisions.select(TABLE["IdentityDecision"].arrow.names)
        store.apply([Change("insert", "IdentityDecision", rows)])

    def _undo(self) -> object:
        known = self.store.read("MATCH (d:IdentityDecision) RETURN d.first AS a, d.second AS b")
        rows = sorted(known.to_pylist(), key=str)
        if not rows:
            return None
        row = self.rng.choice(rows)
        undo_decision(self.store, row["a"], row["b"], progress=silent)
        return row


def load_papers(store: GraphStore, papers: Sequence[Paper]) -> None:
    """Loads papers as records of their sources."""
    writer = PaperWriter(store, None)
    for paper in papers:
        known = writer.files.find([paper.path]).get(paper.path)
        if known is not None and known.sha256 == paper.sha256:
            report, tables = unchanged_row(known), {}
        else:
            report, tables = report_row(paper, paper_id(paper)), paper_tables([paper])
        writer.add(Parsed(tables, pa.Table.from_pylist([report], REPORT), paper.source))
    writer.finish()
    resolve(store, writer.changes)


SetAttribute = Callable[[object, str, object], None]


def count_updates(set_attribute: SetAttribute) -> Counter[str]:
    """Counts updates from now on; small stores are updated too, however much of them changes."""
    counted: Counter[str] = Counter()

    def count(function: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **named: object) -> object:
            result = function(*args, **named)
            counted[function.__name__ if result is not None else "all authors"] += 1
            return result

        return call

    for module in (resolve_module, author_updates):
        set_attribute(module, "_LARGEST_SHARE", 1e9)
    for name in ("_resolve_changes", "update_authors"):
        set_attribute(resolve_module, name, count(getattr(resolve_module, name)))
    return counted


def few_classes(set_attribute: SetAttribute) -> None:
    """A small store, too, has few classes of frequencies and one model.

    So its authors seldom need to be resolved anew.
    """

    def round_count(number: object) -> object:
        return np.where(np.asarray(number) > 6, 64, np.where(np.asarray(number) > 0, 4, 0))

    model = author_scores.estimate_model(author_scores.no_pairs())
    for module in (author_pairs, author_scores, author_statistics, author_updates):
        set_attribute(module, "round_count", round_count)
    for module in (author_scores, author_updates, author_module):
        set_attribute(module, "estimate_model", lambda _: model)


def present_index(store: GraphStore) -> StoreIndex | None:
    return open_index(store, read_meta(store, "resolved"))


def index_content(store: GraphStore) -> dict[str, object]:
    """Content of the index of a store, without regard to order."""
    index = present_index(store)
    assert index is not None
    assert index.statistics is not None
    names, pairs = index.statistics.names, index.statistics.pairs
    return {
        **{
            name: sorted(map(repr, rows.whole().to_pylist())) for name, rows in index.tables.items()
        },
        "papers in all": index.statistics.papers,
        "names": (counted(names.values), counted(names.sums)),
        "pairs": (pairs.signatures, counted(pairs.fitting), pairs.chance.tolist()),
        "contradictions": pairs.contradictions.tolist(),
    }


def counted(counts: Counts) -> list[tuple[int, int]]:
    rows = zip(counts.keys.tolist(), counts.numbers.tolist(), strict=True)
    return [(key, number) for key, number in rows if number]
