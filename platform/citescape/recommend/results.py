"""Result of `recommend`: papers for each sentence, with reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from citescape.core.types import SECTION_NAMES
from citescape.papers.entries import BibliographyEntry, read_entries
from citescape.recommend.drafts.draft import DraftPlace
from citescape.recommend.profiles import ProfileRun
from citescape.recommend.recommendations import ContextRecommendations, Recommendation
from citescape.runs.result import Part, Result, Summary, Table, Text, plural
from citescape.store.graph_store import GraphStore

if TYPE_CHECKING:
    from citescape.recommend.steps import Recommend

_LEFT = " " * 8
_TITLE = " " * 18
_LONGEST, _TITLE_LINE, _TITLE_CELL = 320, 82, 60
"""Maximum characters of a sentence, of a title, and of a title in a table, except in JSON."""


@dataclass(frozen=True)
class Recommendations(Result):
    """Papers to cite for one sentence or for each marked place of a draft."""

    settings: Recommend
    contexts: tuple[ContextRecommendations, ...]
    """One for each sentence."""
    places: tuple[DraftPlace, ...]
    """Places of a draft, one for each sentence; empty without a draft."""
    profiles: ProfileRun | None
    """None if the papers were found by words alone."""
    timings: Mapping[str, float]
    """Seconds by stage."""
    notes: tuple[str, ...]
    """Warnings on draft and profiles."""
    files: tuple[str, ...]
    """Bibliographies that were written."""
    keys: Mapping[str, str]
    """BibTeX keys by id of a paper; empty without a BibTeX file."""

    @property
    def papers(self) -> tuple[Recommendation, ...]:
        """The papers of all sentences, in the order of the sentences."""
        return tuple(paper for context in self.contexts for paper in context.papers)

    @property
    def arrow(self) -> pa.Table:
        """A row per sentence and paper.

        `context`, `part` (of the context that needs the citation, if other parts need others; else
        empty), `rank`, `score`, `id`, `title`, `authors`, `year`, `notice` (`retracted 2017`; null
        without one), `cited_by`, `importance`, and `sentence`, the nearest sentence that cites the
        paper.
        """
        tables = []
        for context in self.contexts:
            table, size = context.table, len(context.papers)
            for name in ("part", "context"):
                values = pa.array([getattr(context, name)] * size, pa.string())
                table = table.add_column(0, name, values)
            tables.append(table)
        return pa.concat_tables(tables)

    def summarise(self) -> Summary:
        """The papers of each sentence, and the reasons for each paper."""
        parts: list[Part] = []
        for row, context in enumerate(self.contexts):
            parts += [""] if row else []
            if self.places:
                place = self.places[row]
                where = (f"{self._file(place)}:{place.line}", place.section, place.marker)
                parts.append("  ".join(filter(None, where)))
            parts.append(Text(f"“{_cut(context.context, _LONGEST)}”"))
            if context.part:
                parts.append(Text(f"citation wanted for “{_cut(context.part, _LONGEST)}”"))
            parts += [Text(f"note: {note}") for note in context.notes]
            parts += ["", *self._list_papers(context.papers)]
        parts += [line for note in self.notes for line in ("", f"note: {note}")]
        parts += [line for path in self.files for line in ("", f"written: {path}")]
        return Summary(parts, self._figures())

    def _figures(self) -> dict[str, Any]:
        contexts = [asdict(context) for context in self.contexts]
        for row, place in enumerate(self.places):
            where = {"file": str(self._file(place)), "line": place.line}
            where |= {"section": place.section, "marker": place.marker}
            contexts[row] = {**where, **contexts[row]}
        for paper in (paper for context in contexts for paper in context["papers"] if self.keys):
            paper["key"] = self.keys[paper["work"]["id"]]
        return {
            "profiles": self.profiles.run if self.profiles else None,
            "encoder": self.profiles.record.config["encoder"] if self.profiles else None,
            "timings": self.timings,
            "system": self.settings.system,
            "k": self.settings.k,
            "contexts": contexts,
            "notes": self.notes,
            "files": self.files,
        }

    def _file(self, place: DraftPlace) -> Path:
        draft = Path(self.settings.draft)
        return draft.parent / place.file if place.file else draft

    def _list_papers(self, papers: Sequence[Recommendation]) -> Iterator[Part]:
        if self.settings.brief:
            rows = [
                (
                    paper.rank,
                    f"{paper.score:z.3f}",
                    str(paper.work.year or ""),
                    _title(paper, _TITLE_CELL),
                    self._name(paper),
                )
                for paper in papers
            ]
            yield Table(("", "score", "year", "title", "id"), rows)
            return
        for paper in papers:
            first = f"{paper.rank:2}  {paper.score:z6.3f}  {paper.work.year or '':4}  "
            yield Text(_title(paper, _TITLE_LINE), first=first, rest=_TITLE)
            authors = ", ".join(filter(None, (paper.work.authors, self._name(paper))))
            yield Text(authors, first=_LEFT, rest=_LEFT)
            for sentence in paper.sentences:
                quotation = f"“{_cut(sentence.text, _LONGEST)}”"
                yield Text(quotation, first=_LEFT, rest=_LEFT, quote=True)
                citing = sentence.citing
                author = " ".join(filter(None, (citing.authors, str(citing.year or ""))))
                similarity = f"similarity {sentence.similarity:z.2f}"
                source = (author or citing.title, sentence.section, citing.id, similarity)
                source_line = f"— {', '.join(filter(None, source))}"
                yield Text(source_line, first=f"{_LEFT}  ", rest=f"{_LEFT}  ")
            reasons = "; ".join(filter(None, _list_reasons(paper)))
            yield Text(reasons, first=_LEFT, rest=_LEFT)

    def _name(self, paper: Recommendation) -> str:
        id_ = paper.work.id
        return f"{id_}, {self.keys[id_]}" if self.keys else id_


def list_entries(
    store: GraphStore, places: Sequence[DraftPlace], contexts: Sequence[ContextRecommendations]
) -> list[BibliographyEntry]:
    """Entries of a bibliography: each paper once, with the lines of the draft as keywords.

    Args:
        store: the graph.
        places: places of a draft; empty without a draft.
        contexts: recommended papers of each place.
    """
    lines: dict[str, dict[str, None]] = {}
    for place, context in zip_longest(places, contexts):
        keyword = {}
        if place:
            file = place.file.replace(",", ";")  # commas separate keywords
            keyword = {" ".join(filter(None, ("citescape", file, f"line {place.line}"))): None}
        for paper in context.papers:
            lines.setdefault(paper.work.id, {}).update(keyword)
    entries = read_entries(store, list(lines))
    return [entry._replace(keywords=tuple(lines[entry.id])) for entry in entries]


def _list_reasons(paper: Recommendation) -> Iterator[str]:
    """Citations by section and intent, importance, and the parts of the score."""
    received = paper.received
    sections = {SECTION_NAMES[name]: n for name, n in (received.sections or {}).items()}
    if paper.cited_by:
        counts = _list_counts(sections)
        yield f"cited in {plural(paper.cited_by, 'full text')}{counts and f': {counts}'}"
    else:
        lists = plural(received.citing, "reference list")
        listed = f"cited in no sentence, but in {lists}" if received.citing else "not cited here"
        yield f"{listed}: found by title and abstract"
    intents = _list_counts(received.intents or {})
    yield intents and f"for {intents}"
    yield "" if received.importance is None else f"importance {received.importance:z.2f}"
    parts = ", ".join(f"{name} {value:z.2f}" for name, value in paper.retrieved.parts.items())
    if paper.is_reranked:
        score = parts or f"{paper.retrieved.score:z.2f}"
        yield f"retrieved at rank {paper.retrieved.rank}: {score}"
    else:
        yield parts and f"found by {parts}"


def _title(paper: Recommendation, most: int) -> str:
    """The title, after the notice about the work in brackets: `[RETRACTED 2017] Roots`."""
    name = paper.work.named_notice
    notice = f"[{name.upper()}] " if name else ""
    return notice + _cut(paper.work.title or "(no title)", most - len(notice))


def _list_counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items() if count)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
