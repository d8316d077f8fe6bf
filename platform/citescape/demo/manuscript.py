"""A paper of the world as prose: sections, paragraphs, sentences and the works they cite.

No markup yet. Every planned mention stands in exactly one sentence, caption or table row of a
section of its planned type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from citescape.demo.citations import INTENTS, SECTIONS
from citescape.demo.text import (
    strength,
    write_abstract,
    write_citing,
    write_heading,
    write_plain,
)
from citescape.demo.works import Layout, Work
from citescape.demo.world import World

BackPart = Literal["ack", "notes", "fn-group", "app", "floats", "abstract"]
_BACK_PARTS: tuple[BackPart, ...] = ("ack", "notes", "fn-group", "app", "floats", "abstract")
_BACK_SHARES = (0.25, 0.2, 0.2, 0.15, 0.15, 0.05)
_BUNDLE = {"I": 5, "M": 2}
"""Most perfunctory citations in one sentence, by section."""
_ATTEMPTS = 6
_CAPTIONS = 0.12
_TABLE_ROWS = 0.1
_ORDER: dict[Layout, tuple[str, ...]] = {
    "plain": ("I", "M", "R", "D"),
    "combined": ("I", "M", "R"),
    "methods-last": ("I", "R", "D", "M"),
    "lead": ("I", "M", "R", "D"),
    "review": ("I", "review", "M", "R", "D"),
    "letter": ("I", "M", "R", "D"),
}


@dataclass(frozen=True)
class Sentence:
    """A sentence; if it cites, `text` holds ``{c}`` or ``{n}`` where the marker of `pairs` stands.

    `pairs` index `World.pairs`. In a table row, cells are divided by tabs.
    """

    text: str
    pairs: tuple[int, ...] = ()
    intent: str = ""
    """Planned: `background`, `method`, `result`; empty where the wording tells none."""


@dataclass(frozen=True)
class Float:
    """A figure, or a table with `rows`."""

    caption: tuple[Sentence, ...]
    rows: tuple[Sentence, ...] = ()


@dataclass(frozen=True)
class Part:
    """A heading with its text; `heading` is empty for text without one.

    `column` is `I`, `M`, `R` or `D`, `review` for a second introduction, `conclusion` for a last
    discussion.
    """

    heading: str
    column: str
    paragraphs: tuple[tuple[Sentence, ...], ...]
    floats: tuple[Float, ...] = ()
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Manuscript:
    """A whole paper."""

    work: Work
    abstract: dict[str, str]
    """Text by heading; see `text.write_abstract`."""
    body: tuple[Part, ...]
    back: dict[BackPart, tuple[Sentence, ...]] = field(default_factory=dict)
    """Citing sentences outside the body."""

    def sentences(self) -> Iterator[Sentence]:
        """Every sentence in reading order: abstract, body, back matter."""
        yield from self.back.get("abstract", ())
        for part in self.body:
            yield from _sentences(part)
        for name in _BACK_PARTS[:-1]:
            yield from self.back.get(name, ())

    def cited(self) -> list[int]:
        """Pairs in the order in which they are first mentioned."""
        return list(dict.fromkeys(p for sentence in self.sentences() for p in sentence.pairs))


def _sentences(part: Part) -> Iterator[Sentence]:
    for paragraph in part.paragraphs:
        yield from paragraph
    for figure in part.floats:
        yield from figure.caption
        yield from figure.rows
    for inner in part.parts:
        yield from _sentences(inner)


def write_manuscript(world: World, paper: int) -> Manuscript:
    """The text of one paper of the corpus: the same for the same world, whatever came before."""
    work = world.works[paper]
    if work.layout is None:
        raise ValueError(f"work {paper} has no full text; the corpus is 0..{world.papers - 1}")
    author = _Author(world, paper)
    columns = _ORDER[work.layout]
    sentences = author.citing_sentences()
    body = tuple(part for column in columns for part in author.write_part(column, sentences))
    if work.layout == "letter":
        body = (Part("", "I", tuple(p for part in body for p in _flat(part))),)
    elif work.layout == "combined" or author.rng.random() < 0.5:
        body = (*body, author.write_conclusion())
    return Manuscript(work, author.abstract, body, author.write_back(sentences["other"]))


def _flat(part: Part) -> Iterator[tuple[Sentence, ...]]:
    """The paragraphs of a part and of all parts below it; captions and rows become paragraphs."""
    yield from part.paragraphs
    for figure in part.floats:
        yield figure.caption
        yield from ((row,) for row in figure.rows)
    for inner in part.parts:
        yield from _flat(inner)


class _Author:
    """Writes one paper, with a random stream of its own."""

    def __init__(self, world: World, paper: int) -> None:
        self.world = world
        self.paper = paper
        self.work = world.works[paper]
        self.voice = world.voice(paper)
        self.rng = world.rng(1, paper)
        self.said: set[str] = set()
        self.abstract = write_abstract(self.voice, self.rng)

    def citing_sentences(self) -> dict[str, list[Sentence]]:
        """Every citing sentence by the section that decides its wording."""
        found: dict[str, list[Sentence]] = {name: [] for name in SECTIONS}
        for role, intent, pairs in self._groups():
            found[SECTIONS[role]].append(self._citing(pairs, SECTIONS[role], INTENTS[intent]))
        return found

    def _groups(self) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Role, intent and pairs of each citing sentence; perfunctory citations share one."""
        mentions, ends = self.world.mentions, [self.paper, self.paper + 1]
        pairs_of = np.searchsorted(self.world.pairs.citing, ends)
        low, high = np.searchsorted(mentions.pair, pairs_of).tolist()
        order = low + self.rng.permutation(high - low)
        light: dict[tuple[int, int], list[int]] = {}
        for at in order.tolist():
            key = (int(mentions.role[at]), int(mentions.intent[at]))
            pair = int(mentions.pair[at])
            bundled = SECTIONS[key[0]] in _BUNDLE and strength(self._importance(pair)) == "light"
            if bundled:
                light.setdefault(key, []).append(pair)
            else:
                yield (*key, (pair,))
        for key, pairs in light.items():
            start = 0
            while start < len(pairs):
                stop = start + int(self.rng.integers(1, _BUNDLE[SECTIONS[key[0]]] + 1))
                yield (*key, tuple(pairs[start:stop]))
                start = stop

    def _importance(self, pair: int) -> float:
        return float(self.world.pairs.importance[pair])

    def write_part(self, column: str, sentences: dict[str, list[Sentence]]) -> Iterator[Part]:
        """The section of a column; the introduction of a `review` paper keeps half its text."""
        cited = sentences["I" if column == "review" else column]
        if self.work.layout == "review" and column in ("I", "review"):
            half = len(cited) // 2
            cited = cited[:half] if column == "I" else cited[half:]
        if self.work.layout == "combined" and column == "R":
            cited = cited + sentences["D"]
        floats: tuple[Float, ...] = ()
        if column == "R":
            cited, floats = self._place_floats(cited)
        yield self._divide(column, self._weave(column, cited), floats)

    def _place_floats(self, cited: list[Sentence]) -> tuple[list[Sentence], tuple[Float, ...]]:
        """Moves some citations of the results into a caption and into the rows of a table."""
        text: list[Sentence] = []
        captions: list[Sentence] = []
        rows: list[Sentence] = []
        for sentence in cited:
            draw = self.rng.random()
            if draw < _CAPTIONS:
                captions.append(self._citing(sentence.pairs, "caption", "any"))
            elif draw < _CAPTIONS + _TABLE_ROWS:
                cited_work = int(self.world.pairs.cited[sentence.pairs[0]])
                words = self.world.voice(cited_work).slots(self.rng)
                row = f"{{n}}\t{words['system']}\t{words['percent']}.{words['p'][-1]}"
                rows.append(Sentence(row, sentence.pairs))
            else:
                text.append(sentence)
        plain = Sentence(write_heading(self.voice, "subheadings.R", self.rng) + ".")
        floats = [Float((plain, *captions))] if captions else []
        if rows:
            own = Sentence(f"This study\t{self.voice.slots(self.rng)['system']}\t0.0")
            floats.append(Float((plain,), (own, *rows)))
        return text, tuple(floats)

    def _plain(self, column: str) -> Sentence:
        """A sentence without citation."""
        kind = "I" if column == "review" else column
        return Sentence(self._say(lambda: write_plain(self.voice, kind, self.rng)))

    def _say(self, write: Callable[[], str]) -> str:
        """A sentence the paper has not said yet, if there is any left."""
        text = ""
        for _ in range(_ATTEMPTS):
            text = write()
            if text not in self.said:
                break
        self.said.add(text)
        return text

    def _citing(self, pairs: tuple[int, ...], section: str, intent: str) -> Sentence:
        """A sentence about the first of the cited works; its strength is that of the strongest."""
        cited = self.world.voice(int(self.world.pairs.cited[pairs[0]]))
        level = strength(max(self._importance(pair) for pair in pairs))
        place = (section, intent, level)
        text = self._say(lambda: write_citing(self.voice, cited, place, rng=self.rng))
        return Sentence(text, pairs, "" if intent == "any" else intent)

    def _weave(self, column: str, cited: list[Sentence]) -> tuple[tuple[Sentence, ...], ...]:
        """Paragraphs of two to five citing sentences between one or two others."""
        paragraphs: list[tuple[Sentence, ...]] = []
        rest = list(cited)
        while rest or not paragraphs:
            size = int(self.rng.integers(2, 6))
            paragraph = [self._plain(column), *rest[:size]]
            if self.rng.random() < 0.5:
                paragraph.insert(1 + int(self.rng.integers(len(paragraph))), self._plain(column))
            paragraphs.append(tuple(paragraph))
            rest = rest[size:]
        return tuple(paragraphs)

    def _divide(
        self, column: str, paragraphs: tuple[tuple[Sentence, ...], ...], floats: tuple[Float, ...]
    ) -> Part:
        """A section, its later paragraphs in subsections where the section has them."""
        heading = self._heading(column)
        kind = f"subheadings.{column}"
        share = {"M": 0.9, "R": 0.5, "D": 0.25}.get(column, 0.0)
        if self.rng.random() >= share:
            return Part(heading, column, paragraphs, floats)
        if len(paragraphs) == 1:
            paragraphs = (*paragraphs, (self._plain(column), self._plain(column)))
        inner = [
            Part(write_heading(self.voice, kind, self.rng), column, (paragraph,))
            for paragraph in paragraphs[1:]
        ]
        if len(inner) > 2 and self.rng.random() < 0.4:
            inner = [Part(inner[0].heading, column, inner[0].paragraphs, parts=tuple(inner[1:]))]
        return Part(heading, column, paragraphs[:1], floats, tuple(inner))

    def _heading(self, column: str) -> str:
        if self.work.layout == "lead" and column == "I":
            return ""
        kind = "RD" if self.work.layout == "combined" and column == "R" else column
        return write_heading(self.voice, f"headings.{kind}", self.rng)

    def write_conclusion(self) -> Part:
        """A closing section without citations."""
        text = (self._plain("conclusion"), self._plain("conclusion"))
        return Part(self._heading("conclusion"), "conclusion", (text,))

    def write_back(self, cited: list[Sentence]) -> dict[BackPart, tuple[Sentence, ...]]:
        """Spreads the remaining citations over back matter, floats and, rarely, the abstract."""
        placed: dict[BackPart, list[Sentence]] = {}
        for sentence in cited:
            name = _BACK_PARTS[int(self.rng.choice(len(_BACK_PARTS), p=_BACK_SHARES))]
            placed.setdefault(name, []).append(sentence)
        return {name: tuple(found) for name, found in placed.items()}
