"""The people of the generated world: research groups, and namesakes who are different persons."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from citescape.demo.vocabulary import Vocabulary

_HOME_MEMBERS = (5, 9)
_OUTSIDE_MEMBERS = (4, 7)
_OUTSIDE_LABS = 5
"""Groups of a topic that write no full text of the corpus; they are only cited."""
_WITH_ORCID = 0.45
_NAMESAKES = 0.05
"""Share of persons renamed to the surname and initial of somebody in another topic; surnames are
shared by chance besides."""


@dataclass(frozen=True)
class Person:
    """One real person: what a name on a by-line should be traced to."""

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
    """Writes papers of the corpus, not only works they cite."""
    members: tuple[int, ...]


@dataclass(frozen=True)
class Society:
    """All persons and groups, and the words they use."""

    vocabulary: Vocabulary
    persons: tuple[Person, ...]
    labs: tuple[Lab, ...]

    def neighbour(self, lab: int, rng: np.random.Generator) -> Lab:
        """Another group of the same field."""
        field_of = [topic.field for topic in self.vocabulary.topics]
        field = field_of[self.labs[lab].topic]
        near = [i for i, x in enumerate(self.labs) if i != lab and field_of[x.topic] == field]
        return self.labs[near[rng.integers(len(near))]]


def found_society(vocabulary: Vocabulary, *, papers: int, rng: np.random.Generator) -> Society:
    """Persons and groups for a corpus of `papers`: about twelve papers a home group."""
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

    # namesakes: renamed after somebody far away in the list, of another topic
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
