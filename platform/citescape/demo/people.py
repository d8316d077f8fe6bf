"""People of the generated world: research groups, and different persons of the same name."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from citescape.demo.vocabulary import DemoVocabulary

_HOME_MEMBERS = (5, 9)
_OUTSIDE_MEMBERS = (4, 7)
_OUTSIDE_LABS = 5
"""Number of groups per topic that are only cited and write no full text of the corpus."""
_WITH_ORCID = 0.45
_NAMESAKES = 0.05
"""Share of persons renamed to the surname and initial of a person in another topic. Other surnames
are shared by chance."""


@dataclass(frozen=True)
class Person:
    """One person: the truth of author disambiguation."""

    surname: str
    given: str
    orcid: str | None

    @property
    def initials(self) -> tuple[str, ...]:
        """First letters of the given names: `Maria L.` -> M, L."""
        return tuple(name[0] for name in self.given.replace("-", " ").split())


@dataclass(frozen=True)
class Lab:
    """A research group. `members` index the world's persons; works come from one group."""

    topic: int
    home: bool
    """Whether it writes papers of the corpus."""
    members: tuple[int, ...]


@dataclass(frozen=True)
class Society:
    """All persons and groups, and the vocabulary of their texts."""

    vocabulary: DemoVocabulary
    persons: tuple[Person, ...]
    labs: tuple[Lab, ...]

    def neighbour(self, lab: int, rng: np.random.Generator) -> Lab:
        """Another group of the same field."""
        field_of = [topic.field for topic in self.vocabulary.topics]
        field = field_of[self.labs[lab].topic]
        near = [i for i, x in enumerate(self.labs) if i != lab and field_of[x.topic] == field]
        return self.labs[near[rng.integers(len(near))]]


def generate_society(
    vocabulary: DemoVocabulary, *, papers: int, rng: np.random.Generator
) -> Society:
    """Generates persons and groups for a corpus of `papers`: about twelve papers per home group."""
    topics = len(vocabulary.topics)
    home = max(2, round(papers / topics / 12))
    labs: list[Lab] = []
    persons = 0
    for topic in range(topics):
        for number in range(home + _OUTSIDE_LABS):
            low, high = _HOME_MEMBERS if number < home else _OUTSIDE_MEMBERS
            size = int(rng.integers(low, high))
            labs.append(Lab(topic, number < home, tuple(range(persons, persons + size))))
            persons += size

    people: list[Person] = []
    for number in range(persons):
        surname = vocabulary.surnames[rng.integers(len(vocabulary.surnames))]
        given = vocabulary.givens[rng.integers(len(vocabulary.givens))]
        if rng.random() < 0.35:
            given += f" {chr(ord('A') + int(rng.integers(20)))}."
        identified = rng.random() < _WITH_ORCID
        identifier = orcid(1_000_000 + 137 * number) if identified else None
        people.append(Person(surname, given, identifier))

    # namesakes: renamed after a person half a list away, hence of another topic
    named = list(people)
    for i in rng.permutation(persons)[: int(_NAMESAKES * persons)].tolist():
        model = people[(i + persons // 2) % persons]
        named[i] = replace(people[i], surname=model.surname, given=f"{model.given[0]}. K.")
    return Society(vocabulary, tuple(named), tuple(labs))


def orcid(number: int) -> str:
    """A well-formed ORCID iD from a block that is never assigned; ISO 7064 MOD 11-2 check digit."""
    digits = f"{number:015d}"
    total = 0
    for digit in digits:
        total = (total + int(digit)) * 2
    check = (12 - total % 11) % 11
    digits += "X" if check == 10 else str(check)
    return "-".join(digits[i : i + 4] for i in range(0, 16, 4))
