"""Generated works of OpenAlex: JSON Lines with authors, institutions, topics, and references.

References are drawn from earlier works by preferential attachment, so that few works are cited very
often; names are drawn from skewed distributions, so that some are very common. The same numbers
always give the same file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

SYLLABLES = ("an", "bo", "chen", "da", "el", "fu", "ga", "hi", "ito", "jun", "ka", "li", "mo", "ne")
WORDS = (
    *("growth", "yield", "drought", "model", "soil", "genome", "water", "leaf", "root", "protein"),
    *(
        "analysis",
        "response",
        "stress",
        "nitrogen",
        "carbon",
        "climate",
        "field",
        "disease",
        "gene",
    ),
    *("expression", "diversity", "tolerance", "population", "dynamics", "selection", "network"),
)
REFERENCES, AUTHORS = 10, 4
"""Mean numbers of references and authors of a work."""


def write_works(path: Path, works: int, *, seed: int = 0) -> None:
    """Writes works, each a line.

    Args:
        path: file to write.
        works: number of works.
        seed: random seed.
    """
    with path.open("w", encoding="utf-8") as file:
        file.writelines(_generate(works, seed))


def _generate(works: int, seed: int) -> Iterator[str]:
    rng = np.random.default_rng(seed)
    people = 2 * works
    surnames = _names(rng, 20_000, 3)
    givens = _names(rng, 5_000, 2)
    surname_of = _skewed(rng, len(surnames), people)
    given_of = _skewed(rng, len(givens), people)
    cited: list[int] = []
    for number in range(works):
        count = min(int(rng.poisson(REFERENCES)), number)
        half = count // 2
        popular = rng.integers(0, max(len(cited), 1), half)
        chosen = {cited[place] for place in popular} if cited else set()
        chosen |= set(rng.integers(0, max(number, 1), count - half).tolist()) if number else set()
        cited.extend(chosen)
        group = int(rng.integers(0, people))
        authors = group + rng.choice(40, 1 + int(rng.poisson(AUTHORS - 1)) % 12, replace=False)
        names = [
            (int(person), f"{givens[given_of[person]]} {surnames[surname_of[person]]}")
            for person in authors % people
        ]
        yield _line(rng, number, sorted(chosen), names)


def _line(
    rng: np.random.Generator, number: int, cited: list[int], authors: list[tuple[int, str]]
) -> str:
    words = [WORDS[place] for place in rng.integers(0, len(WORDS), 9)]
    record = {
        "id": f"https://openalex.org/W{number}",
        "doi": f"https://doi.org/10.5555/{number}",
        "ids": {},
        "title": " ".join(words).capitalize(),
        "publication_year": 1990 + number % 35,
        "type": "article",
        "primary_location": {"source": {"display_name": f"Journal of {WORDS[number % 26]}"}},
        "authorships": [
            {
                "author": {"id": f"https://openalex.org/A{person}", "display_name": name},
                "institutions": [
                    {
                        "id": f"https://openalex.org/I{person % 5_000}",
                        "display_name": f"University {person % 5_000}",
                        "country_code": "DE",
                    }
                ],
            }
            for person, name in authors
        ],
        "referenced_works": [f"https://openalex.org/W{other}" for other in cited],
    }
    return json.dumps(record) + "\n"


def _names(rng: np.random.Generator, count: int, syllables: int) -> list[str]:
    parts = rng.integers(0, len(SYLLABLES), (count, syllables))
    return ["".join(SYLLABLES[part] for part in row).capitalize() for row in parts]


def _skewed(rng: np.random.Generator, size: int, count: int) -> np.ndarray:
    """Numbers below `size`, the small ones most often, as names are."""
    return np.minimum((size * rng.random(count) ** 3).astype(np.int64), size - 1)
