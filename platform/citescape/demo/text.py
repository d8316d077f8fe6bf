"""English for the generated world: titles, abstracts, sentences with and without citations.

A sentence that cites holds one slot: ``{c}`` where the marker stands, or ``{n}`` where the cited
authors are named in the sentence and the marker follows their names.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from citescape.demo.vocabulary import FACETS, DemoVocabulary

_ATTEMPTS = 40


@dataclass(frozen=True)
class Voice:
    """Subject and house style of a work: its topic, its venue, its phrase of each facet."""

    vocabulary: DemoVocabulary
    topic: int
    venue: int
    facets: tuple[int, ...]

    def slots(self, rng: np.random.Generator) -> dict[str, str]:
        """Words for the slots of `phrases.toml`; numbers and house phrases are drawn at random."""
        topic = self.vocabulary.topics[self.topic]
        field = self.vocabulary.fields[topic.field]
        words = {f: topic.phrases[f][i] for f, i in zip(FACETS, self.facets, strict=True)}
        factors = topic.phrases["factor"]
        house = self.vocabulary.venues[self.venue].house
        first = int(rng.integers(len(house)))
        words |= {
            "topic": topic.name,
            "audience": field.audience,
            "samples": field.samples[rng.integers(len(field.samples))],
            "other_factor": factors[(self.facets[0] + 1) % len(factors)],
            "house": house[first],
            "other_house": house[(first + 1) % len(house)],
        }
        words |= {name.capitalize(): capitalise(text) for name, text in words.items()}
        return words | {
            "percent": str(rng.integers(4, 48)),
            "count": str(rng.integers(24, 960)),
            "p": f"0.{rng.integers(1, 49):03d}",
            "c": "{c}",
            "n": "{n}",
        }


def capitalise(text: str) -> str:
    """First letter in upper case, the rest as it is: `x-ray` -> `X-ray`."""
    return text[:1].upper() + text[1:]


def write_title(voice: Voice, taken: set[str], rng: np.random.Generator, *, book: bool) -> str:
    """A title of a paper or a book that is not among `taken` (case-folded titles)."""
    templates = voice.vocabulary.phrases["book_titles" if book else "titles"]
    title = ""
    for _ in range(_ATTEMPTS):
        title = _fill(templates, voice.slots(rng), rng)
        if title.casefold() not in taken:
            return title
    part = 2
    while f"{title}, part {part}".casefold() in taken:
        part += 1
    return f"{title}, part {part}"


def write_abstract(voice: Voice, rng: np.random.Generator) -> dict[str, str]:
    """Parts of the abstract by heading, in order; its text is the parts joined by spaces."""
    phrases = voice.vocabulary.phrases

    def join(*kinds: str) -> str:
        return " ".join(_fill(phrases[f"abstract.{k}"], voice.slots(rng), rng) for k in kinds)

    first, second = rng.permutation(len(phrases["abstract.result"]))[:2].tolist()
    results = [phrases["abstract.result"][i].format_map(voice.slots(rng)) for i in (first, second)]
    labels = phrases["abstract.structured"]
    opening = ("background", "gap", "aim") if rng.random() < 0.7 else ("background", "aim")
    texts = (join(*opening), join("method"), " ".join(results), join("house", "conclusion"))
    return dict(zip(labels, texts, strict=True))


def write_plain(voice: Voice, section: str, rng: np.random.Generator) -> str:
    """A sentence without a citation for a section (`I`, `M`, `R`, `D`, `conclusion`, `other`)."""
    return _fill(voice.vocabulary.phrases[f"plain.{section}"], voice.slots(rng), rng)


def write_citing(
    citing: Voice, cited: Voice, place: tuple[str, str, str], *, rng: np.random.Generator
) -> str:
    """A sentence in which `citing` mentions `cited`, with one slot ``{c}`` or ``{n}``.

    Args:
        citing: voice of the citing paper.
        cited: voice of the cited work.
        place: section (or `caption`), intent (or `any`) and strength: `core`, `mid`, `light`.
        rng: random generator.
    """
    own = citing.slots(rng)
    slots = cited.slots(rng) | {
        f"own_{name}": own[name] for name in ("factor", "outcome", "system")
    }
    return _fill(citing.vocabulary.phrases["cite." + ".".join(place)], slots, rng)


def strength(importance: float) -> str:
    """Strength of the wording: `light` below .3, `core` from .6, else `mid`."""
    return "light" if importance < 0.3 else "core" if importance >= 0.6 else "mid"


def write_heading(voice: Voice, kind: str, rng: np.random.Generator) -> str:
    """A heading (`headings.M`, `subheadings.R`, ...)."""
    return _fill(voice.vocabulary.phrases[kind], voice.slots(rng), rng)


def _fill(templates: tuple[str, ...], slots: dict[str, str], rng: np.random.Generator) -> str:
    return templates[rng.integers(len(templates))].format_map(slots)
