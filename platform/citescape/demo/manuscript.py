"""A paper of the world as prose: sections, paragraphs, sentences and the works they cite.

Text without markup. Every planned mention stands in exactly one sentence, caption or table row of a
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
from citescape.demo.works import GeneratedWork, Layout
from citescape.demo.world import World

BackPart = Literal["ack", "notes", "fn-group", "app", "floats", "abstract"]
_BACK_PARTS: tuple[BackPart, ...] = ("ack", "notes", "fn-group", "app", "floats", "abstract")
_BACK_SHARES = (0.25, 0.2, 0.2, 0.15, 0.15, 0.05)
_BUNDLE = {"I": 5, "M": 2}
"""Maximum number of perfunctory citations in one sentence, by section."""
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
class GeneratedSentence:
    """A sentence; if it cites, `text` holds ``{c}`` or ``{n}`` where the marker of `pairs` stands.

    `pairs` index `World.pairs`. In a table row, cells are divided by tabs.
    """

    text: str
    pairs: tuple[int, ...] = ()
    intent: str = ""
    """`background`, `method` or `result`; empty where the wording does not depend on it."""


@dataclass(frozen=True)
class Float:
    """A figure, or a table with `rows`."""

    caption: tuple[GeneratedSentence, ...]
    rows: tuple[GeneratedSentence, ...] = ()


@dataclass(frozen=True)
class GeneratedSection:
    """A heading with its text; `heading` is empty for text without one.

    `column` is `I`, `M`, `R` or `D`, `review` for a second introduction, `conclusion` for a last
    discussion.
    """

    heading: str
    column: str
    paragraphs: tuple[tuple[GeneratedSentence, ...], ...]
    floats: tuple[Float, ...] = ()
    parts: tuple[GeneratedSection, ...] = ()


@dataclass(frozen=True)
class GeneratedManuscript:
    """The text of a paper."""

    work: GeneratedWork
    abstract: dict[str, str]
    """Text by heading; see `text.write_abstract`."""
    body: tuple[GeneratedSection, ...]
    back: dict[BackPart, tuple[GeneratedSentence, ...]] = field(default_factory=dict)
    """Citing sentences outside the body."""

    def sentences(self) -> Iterator[GeneratedSentence]:
        """Every sentence in reading order: abstract, body, back matter."""
        yield from self.back.get("abstract", ())
        for part in self.body:
            yield from _sentences(part)
        for name in _BACK_PARTS[:-1]:
            yield from self.back.get(name, ())

    def cited(self) -> list[int]:
        """Pairs in the order in which they are first mentioned."""
        return list(dict.fromkeys(p for sentence in self.sentences() for p in sentence.pairs))


def _sentences(part: GeneratedSection) -> Iterator[GeneratedSentence]:
    for paragraph in part.paragraphs:
        yield from paragraph
    for figure in part.floats:
        yield from figure.caption
        yield from figure.rows
    for inner in part.parts:
        yield from _sentences(inner)


def write_manuscript(world: World, paper: int) -> GeneratedManuscript:
    """The text of one paper of the corpus; it depends on the world and the paper only."""
    work = world.works[paper]
    if work.layout is None:
        raise ValueError(f"work {paper} has no full text; the corpus is 0..{world.papers - 1}")
    writer = _ManuscriptWriter(world, paper)
    columns = _ORDER[work.layout]
    sentences = writer.citing_sentences()
    body = tuple(part for column in columns for part in writer.write_part(column, sentences))
    if work.layout == "letter":
        body = (GeneratedSection("", "I", tuple(p for part in body for p in _flat(part))),)
    elif work.layout == "combined" or writer.rng.random() < 0.5:
        body = (*body, writer.write_conclusion())
    return GeneratedManuscript(work, writer.abstract, body, writer.write_back(sentences["other"]))


def _flat(part: GeneratedSection) -> Iterator[tuple[GeneratedSentence, ...]]:
    """The paragraphs of a part and of all parts below it; captions and rows become paragraphs."""
    yield from part.paragraphs
    for figure in part.floats:
        yield figure.caption
        yield from ((row,) for row in figure.rows)
    for inner in part.parts:
        yield from _flat(inner)


class _ManuscriptWriter:
    """Writes one paper, with its own random generator."""

    def __init__(self, world: World, paper: int) -> None:
        self.world = world
        self.paper = paper
        self.work = world.works[paper]
        self.voice = world.voice(paper)
        self.rng = world.rng(1, paper)
        self.written: set[str] = set()
        self.abstract = write_abstract(self.voice, self.rng)

    def citing_sentences(self) -> dict[str, list[GeneratedSentence]]:
        """Every citing sentence by the section that decides its wording."""
        sentences: dict[str, list[GeneratedSentence]] = {name: [] for name in SECTIONS}
        for role, intent, pairs in self._groups():
            sentences[SECTIONS[role]].append(self._citing(pairs, SECTIONS[role], INTENTS[intent]))
        return sentences

    def _groups(self) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Role, intent and pairs of each citing sentence; perfunctory citations are bundled."""
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

    def write_part(
        self, column: str, sentences: dict[str, list[GeneratedSentence]]
    ) -> Iterator[GeneratedSection]:
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

    def _place_floats(
        self, cited: list[GeneratedSentence]
    ) -> tuple[list[GeneratedSentence], tuple[Float, ...]]:
        """Moves some citations of the results into a caption and into the rows of a table."""
        text: list[GeneratedSentence] = []
        captions: list[GeneratedSentence] = []
        rows: list[GeneratedSentence] = []
        for sentence in cited:
            draw = self.rng.random()
            if draw < _CAPTIONS:
                captions.append(self._citing(sentence.pairs, "caption", "any"))
            elif draw < _CAPTIONS + _TABLE_ROWS:
                cited_work = int(self.world.pairs.cited[sentence.pairs[0]])
                words = self.world.voice(cited_work).slots(self.rng)
                row = f"{{n}}\t{words['system']}\t{words['percent']}.{words['p'][-1]}"
                rows.append(GeneratedSentence(row, sentence.pairs))
            else:
                text.append(sentence)
        plain = GeneratedSentence(write_heading(self.voice, "subheadings.R", self.rng) + ".")
        floats = [Float((plain, *captions))] if captions else []
        if rows:
            own = GeneratedSentence(f"This study\t{self.voice.slots(self.rng)['system']}\t0.0")
            floats.append(Float((plain,), (own, *rows)))
        return text, tuple(floats)

    def _plain(self, column: str) -> GeneratedSentence:
        """A sentence without citation."""
        kind = "I" if column == "review" else column
        return GeneratedSentence(self._write_new(lambda: write_plain(self.voice, kind, self.rng)))

    def _write_new(self, write: Callable[[], str]) -> str:
        """A sentence that the paper does not hold yet, if one is drawn in a few attempts."""
        text = ""
        for _ in range(_ATTEMPTS):
            text = write()
            if text not in self.written:
                break
        self.written.add(text)
        return text

    def _citing(self, pairs: tuple[int, ...], section: str, intent: str) -> GeneratedSentence:
        """A sentence about the first cited work; its strength follows the most important one."""
        cited = self.world.voice(int(self.world.pairs.cited[pairs[0]]))
        level = strength(max(self._importance(pair) for pair in pairs))
        place = (section, intent, level)
        text = self._write_new(lambda: write_citing(self.voice, cited, place, rng=self.rng))
        return GeneratedSentence(text, pairs, "" if intent == "any" else intent)

    def _weave(
        self, column: str, cited: list[GeneratedSentence]
    ) -> tuple[tuple[GeneratedSentence, ...], ...]:
        """Paragraphs of two to five citing sentences and one or two sentences without citation."""
        paragraphs: list[tuple[GeneratedSentence, ...]] = []
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
        self,
        column: str,
        paragraphs: tuple[tuple[GeneratedSentence, ...], ...],
        floats: tuple[Float, ...],
    ) -> GeneratedSection:
        """A section; in a share of sections the later paragraphs are subsections."""
        heading = self._heading(column)
        kind = f"subheadings.{column}"
        share = {"M": 0.9, "R": 0.5, "D": 0.25}.get(column, 0.0)
        if self.rng.random() >= share:
            return GeneratedSection(heading, column, paragraphs, floats)
        if len(paragraphs) == 1:
            paragraphs = (*paragraphs, (self._plain(column), self._plain(column)))
        inner = [
            GeneratedSection(write_heading(self.voice, kind, self.rng), column, (paragraph,))
            for paragraph in paragraphs[1:]
        ]
        if len(inner) > 2 and self.rng.random() < 0.4:
            inner = [
                GeneratedSection(
                    inner[0].heading, column, inner[0].paragraphs, parts=tuple(inner[1:])
                )
            ]
        return GeneratedSection(heading, column, paragraphs[:1], floats, tuple(inner))

    def _heading(self, column: str) -> str:
        if self.work.layout == "lead" and column == "I":
            return ""
        kind = "RD" if self.work.layout == "combined" and column == "R" else column
        return write_heading(self.voice, f"headings.{kind}", self.rng)

    def write_conclusion(self) -> GeneratedSection:
        """A closing section without citations."""
        text = (self._plain("conclusion"), self._plain("conclusion"))
        return GeneratedSection(self._heading("conclusion"), "conclusion", (text,))

    def write_back(
        self, cited: list[GeneratedSentence]
    ) -> dict[BackPart, tuple[GeneratedSentence, ...]]:
        """Spreads the remaining citations over back matter, floats and, rarely, the abstract."""
        placed: dict[BackPart, list[GeneratedSentence]] = {}
        for sentence in cited:
            name = _BACK_PARTS[int(self.rng.choice(len(_BACK_PARTS), p=_BACK_SHARES))]
            placed.setdefault(name, []).append(sentence)
        return {name: tuple(sentences) for name, sentences in placed.items()}
