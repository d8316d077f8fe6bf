"""A checked reference list: its columns, and its findings in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from citescape.core.errors import list_some
from citescape.core.types import FACETS, SECTION_NAMES, SECTION_TYPES
from citescape.explore.aggregates import WORK
from citescape.runs.result import Part, Result, Summary, Table, Text, plural

_THE = {name: words if name == "other" else f"the {words}" for name, words in SECTION_NAMES.items()}
_SHOWN = 40
SENTENCE = pa.struct(
    {
        "citing": pa.string(),
        "title": pa.string(),
        "year": pa.int64(),
        "importance": pa.float64(),
        "type": pa.string(),
        "section": pa.string(),
        "intents": pa.list_(pa.string()),
        "context": pa.string(),
    }
)
_NEAR = pa.struct({"id": pa.string(), "title": pa.string(), "year": pa.int64()})
CHECKED = pa.schema(
    {
        "key": pa.string(),
        "file": pa.string(),
        "line": pa.int64(),
        "title": pa.string(),
        "year": pa.int64(),
        "paper": pa.string(),
        "how": pa.string(),
        "agreement": pa.float64(),
        "paper_title": pa.string(),
        "paper_year": pa.int64(),
        "notice": pa.string(),
        "notice_year": pa.int64(),
        "problems": pa.list_(pa.string()),
        "near": pa.list_(_NEAR),
        "cited_by": pa.int64(),
        "importance": pa.float64(),
        "self_share": pa.float64(),
        **dict.fromkeys((*SECTION_TYPES, *FACETS), pa.int64()),
        "cited": pa.int64(),
        **{f"cited_{name}": pa.int64() for name in SECTION_TYPES},
        "use": pa.string(),
        "sentences": pa.list_(SENTENCE),
    }
)
"""`title`, `year`: as given. `paper`, `how`, `agreement`: see `paper_index.MATCHES`. `cited_by`,
`importance` (sum), `self_share` (of the citations with a known value), mentions by type of section
(`I` ...) and contexts by intent: of all papers of the graph that cite the work; null if it is not
found or nothing is scored or labelled. `cited`, `cited_I` ...: citations in the manuscript by type
of section; null without one. `use`: both in words."""
MISSING = pa.schema(
    {
        **WORK,
        "papers": pa.int64(),
        "share": pa.float64(),
        "cosine": pa.float64(),
        "importance": pa.float64(),
        "cited_by": pa.int64(),
        "beside": pa.list_(pa.string()),
        "why": pa.string(),
    }
)
"""`papers`: papers near the reference list that cite the work; `share` of all near papers; `cosine`
= papers / sqrt(near papers x papers that cite the work); `importance`: sum over `papers`. `beside`:
references that most of these papers cite too."""


@dataclass(frozen=True)
class ReferenceCheck(Result):
    """What a graph knows of the references of a manuscript."""

    references: pa.Table
    """A row per reference, with the columns of `CHECKED`."""
    missing: pa.Table
    """Works that papers with several of these references cite, with the columns of `MISSING`."""
    candidates: int
    """Number of such works with enough support, of which `missing` has the first."""
    near_papers: int
    """Number of papers that cite at least `overlap` of the references."""
    overlap: int
    support: int
    """Minimum number of near papers that cite a missing work."""
    sections: bool
    """Whether citations are counted by section (`platform score`)."""
    intents: bool
    """Whether contexts have intents (`platform text intents label`)."""
    notes: tuple[str, ...]

    @property
    def arrow(self) -> pa.Table:
        """A row per reference."""
        return self.references

    def tables(self) -> dict[str, pa.Table]:
        """References, and works that are missing."""
        return {"references": self.references, "missing": self.missing}

    @property
    def counts(self) -> dict[str, int]:
        """Number of references, found ones, and references by problem."""
        kinds = Counter(
            problem.partition(":")[0]
            for problems in self.references["problems"].to_pylist()
            for problem in problems
        )
        found = len(self.references) - self.references["paper"].null_count
        return {"references": len(self.references), "found": found, **kinds}

    def summarise(self) -> Summary:
        """References with their problems, how others cite them, and what is missing."""
        rows = self.references.to_pylist()
        parts = self._summarise(rows, _SHOWN)
        figures = {
            "counts": self.counts,
            "references": rows,
            "missing": self.missing.to_pylist(),
            "candidates": self.candidates,
            "near_papers": self.near_papers,
            "overlap": self.overlap,
            "support": self.support,
            "sections": self.sections,
            "intents": self.intents,
            "notes": list(self.notes),
        }
        return Summary(parts, figures, remarks=self.notes)

    def summarise_page(self) -> Summary:
        """The same with all references, and sentences of others."""
        rows = self.references.to_pylist()
        parts = self._summarise(rows, len(rows))
        for row in rows:
            if row["sentences"]:
                parts += ["", Text(f"{row['key']}: {row['paper_title'] or row['paper']}")]
                parts.append(Text(row["use"]))
            for one in row["sentences"] or ():
                parts.append(Text(one["context"], quote=True))
                parts.append(Text(_name_sentence(one)))
        return Summary(parts)

    def _summarise(self, rows: Sequence[Mapping[str, Any]], shown: int) -> list[Part]:
        counts = self.counts
        parts: list[Part] = [
            f"{plural(counts['references'], 'reference')}, {counts['found']:,} found in the graph"
        ]
        if not self.sections:
            parts.append("nothing is scored: run `platform score` for importance and sections")
        if not self.intents:
            parts.append("intents are missing: run `platform text intents label`")
        parts += self._list_problems(rows, shown)
        found = [row for row in rows if row["paper"]]
        header = ("key", "cited by", "importance", "I·M·R·D·other", "self", "use")
        table = [
            (
                row["key"],
                row["cited_by"],
                row["importance"],
                "·".join(str(row[name]) for name in SECTION_TYPES) if row["I"] is not None else "",
                "" if row["self_share"] is None else f"{row['self_share']:.0%}",
                row["use"],
            )
            for row in found[:shown]
        ]
        cut = f", the first {shown}" if len(found) > shown else ""
        if table:
            parts += ["", Table(header, table, f"how others cite them{cut}", optional=1)]
        parts += ["", *self._list_missing()]
        return parts

    def _list_problems(self, rows: Sequence[Mapping[str, Any]], shown: int) -> list[Part]:
        """References with problems, and the keys of those that are never cited."""
        flagged = [(row, words) for row in rows if (words := _describe_problems(row))]
        never = [row["key"] for row in rows if "never cited" in row["problems"]]
        parts: list[Part] = []
        if flagged:
            parts += ["", f"{plural(len(flagged), 'reference')} to look at"]
        for row, words in flagged[:shown]:
            parts.append(Text("; ".join(words), f"  {row['key']}: ", "      "))
        if len(flagged) > shown:
            parts.append(f"  {len(flagged) - shown:,} more")
        if never:
            keys = list_some(never, shown)
            parts += ["", Text(keys, f"{len(never):,} in the list, and never cited: ", "    ")]
        return parts

    def _list_missing(self) -> list[Part]:
        near = plural(self.near_papers, "paper cites", "papers cite")
        basis = f"{near} {self.overlap} or more of these references"
        if not len(self.missing):
            return [f"nothing is missing: {basis}, and no other work {self.support} times or more"]
        cut = f", the first {len(self.missing)}" if len(self.missing) < self.candidates else ""
        header = ("importance", "papers", "share", "cosine", "paper", "title")
        rows = [
            (
                *(row[name] for name in ("importance", "papers")),
                f"{row['share']:.0%}",
                *(row[name] for name in ("cosine", "id", "title")),
            )
            for row in self.missing.to_pylist()
        ]
        title = f"cited beside them, and missing: {self.candidates:,}{cut} ({basis})"
        return [Table(header, rows, title)]


def describe_use(row: Mapping[str, Any]) -> str:
    """How others cite a work, and how the manuscript does, in words; empty if unknown."""
    parts = []
    mentions = {name: row[name] or 0 for name in SECTION_TYPES}
    if total := sum(mentions.values()):
        most = max(mentions, key=mentions.__getitem__)
        others = f"others cite it most in {_THE[most]} ({mentions[most]:,} of {total:,} mentions)"
        intents = {name: row[name] or 0 for name in FACETS}
        if labelled := sum(intents.values()):
            intent = max(intents, key=intents.__getitem__)
            others += f", most for {intent} ({intents[intent]:,} of {labelled:,})"
        parts.append(others)
    if row["cited"]:
        own = [_THE[name] for name in SECTION_TYPES if row[f"cited_{name}"]]
        times = "" if row["cited"] == 1 else f" ({row['cited']} times)"
        parts.append(f"you cite it in {' and '.join(own)}{times}")
    return "; ".join(parts)


def _describe_problems(row: Mapping[str, Any]) -> list[str]:
    """The problems of a reference in words, but for `never cited`."""
    words = []
    for problem in row["problems"]:
        if problem == "not found":
            near = ", ".join(f'{one["id"]} "{one["title"] or ""}"' for one in row["near"])
            words.append(f"not found{f'; similar: {near}' if near else ''}")
        elif problem == "other title":
            how = row["how"].upper()
            words.append(f'the {how} is of another title: "{row["paper_title"]}"')
        elif problem == "not in the list":
            words.append("cited, and in no reference list")
        elif problem == row["notice"]:
            year = f" in {row['notice_year']}" if row["notice_year"] else ""
            named = "expression of concern" if problem == "concern" else problem
            words.append(f"{named}{year}: {row['paper']}")
        elif problem != "never cited":
            words.append(problem.removeprefix("duplicate: "))
    return words


def _name_sentence(sentence: Mapping[str, Any]) -> str:
    year = f", {sentence['year']}" if sentence["year"] else ""
    place = sentence["section"] or SECTION_NAMES[sentence["type"]]
    return f"{sentence['title'] or sentence['citing']}{year}; {place}; {sentence['citing']}"
