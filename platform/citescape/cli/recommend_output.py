"""What `platform recommend` prints: papers, and below each why."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citescape.cli.output import number
from citescape.core.terminal import echo, escape, wrap
from citescape.runs.result import plural

if TYPE_CHECKING:
    from citescape.recommend.drafts.wants import Want
    from citescape.recommend.reasons import Sentence
    from citescape.recommend.recommendations import Recommendation, Recommended

_LEFT = 8
"""Columns before what is below a paper's line."""
_TITLE, _NARROWEST = 18, 30
"""Columns before a title; of a title, at least."""
_LONGEST = 320
"""Letters of a sentence; `--json` has all."""
_WIDEST = 120
_PLACES = {"I": "introduction", "M": "methods", "R": "results", "D": "discussion"}


def print_answers(
    wants: Sequence[Want],
    found: Sequence[Recommended],
    draft: Path | None,
    *,
    brief: bool,
    keys: Mapping[str, str],
) -> None:
    """The papers for each context; of a draft with their places.

    Args:
        wants: of a draft, one for each context.
        found: for each context.
        draft: its file.
        brief: without reasons.
        keys: of BibTeX, by id; empty for none.
    """
    for place, one in enumerate(found):
        if place:
            echo()
        if wants:
            want = wants[place]
            where = filter(None, (_where(want, draft), want.section, want.marker))
            echo("  ".join(where), bold=True)
        echo(*_wrap(f"“{_cut(one.context, _LONGEST)}”", 0))
        for note in one.notes:
            echo(*_wrap(f"note: {note}", 0))
        echo()
        _print_papers(one.papers, brief=brief, keys=keys)


def tell_answers(
    wants: Sequence[Want],
    found: Sequence[Recommended],
    draft: Path | None,
    *,
    keys: Mapping[str, str],
) -> dict[str, Any]:
    """The same as data."""
    told = [{**_place(wants, row, draft), **asdict(one)} for row, one in enumerate(found)]
    for paper in (paper for one in told for paper in one["papers"] if keys):
        paper["key"] = keys[paper["work"]["id"]]
    return {"contexts": told}


def _place(wants: Sequence[Want], row: int, draft: Path | None) -> dict[str, Any]:
    if not wants:
        return {}
    want = wants[row]
    file = str(_file(want, draft))
    return {"file": file, "line": want.line, "section": want.section, "marker": want.marker}


def _where(want: Want, draft: Path | None) -> str:
    return f"{_file(want, draft)}:{want.line}"


def _file(want: Want, draft: Path | None) -> Path | None:
    return draft.parent / want.file if draft and want.file else draft


def _print_papers(
    papers: Sequence[Recommendation], *, brief: bool, keys: Mapping[str, str]
) -> None:
    names = {one.work.id: _names(one.work.id, keys) for one in papers}
    ids = max(map(len, names.values()), default=0)
    room = max(_width() - _TITLE - (ids + 2 if brief else 0), _NARROWEST)
    for one in papers:
        title = _cut(escape(one.work.title or "(no title)"), room)
        line = f"{one.rank:2}  {one.score:z6.3f}  {one.work.year or '':4}  "
        if brief:
            echo(f"{line}{title:{room}}  {names[one.work.id]}")
        else:
            echo(f"{line}{title}", bold=True)
            _print_reasons(one, names[one.work.id])


def _names(id_: str, keys: Mapping[str, str]) -> str:
    return f"{id_}, {keys[id_]}" if keys else id_


def _print_reasons(one: Recommendation, name: str) -> None:
    echo(*_wrap(", ".join(filter(None, (one.work.authors, name))), _LEFT))
    for sentence in one.sentences:
        echo(*_wrap(f"“{_cut(sentence.text, _LONGEST)}”", _LEFT))
        echo(*_wrap(f"— {_source(sentence)}", _LEFT + 2))
    echo(*_wrap("; ".join(filter(None, _facts(one))), _LEFT))


def _source(sentence: Sentence) -> str:
    citing = sentence.citing
    by = " ".join(filter(None, (citing.authors, str(citing.year or ""))))
    said = (
        by or citing.title,
        sentence.section,
        citing.id,
        f"similarity {sentence.similarity:z.2f}",
    )
    return ", ".join(filter(None, said))


def _facts(one: Recommendation) -> Iterator[str]:
    received = one.received
    places = {_PLACES.get(name, name): count for name, count in (received.sections or {}).items()}
    if one.cited_by:
        told = _counts(places)
        yield f"cited in {plural(one.cited_by, 'full text')}{told and f': {told}'}"
    else:
        lists = plural(received.citing, "reference list")
        listed = f"cited in no sentence, though in {lists}" if received.citing else "not cited here"
        yield f"{listed}: found by its own text"
    told = _counts(received.intents or {})
    yield told and f"for {told}"
    yield "" if received.importance is None else f"importance {received.importance:z.2f}"
    yield _found(one)


def _found(one: Recommendation) -> str:
    """What the score is made of; of a reranked paper, what brought it there."""
    parts = ", ".join(f"{name} {value:z.2f}" for name, value in one.retrieved.parts.items())
    if not one.is_reranked:
        return parts and f"found by {parts}"
    return f"retrieved at rank {one.retrieved.rank}: {parts or f'{one.retrieved.score:z.2f}'}"


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number(count)}" for name, count in counts.items() if count)


def _wrap(text: str, left: int) -> list[str]:
    return wrap(text, _width(), first=" " * left, rest=" " * left)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _width() -> int:
    return min(shutil.get_terminal_size((100, 24)).columns, _WIDEST)
