"""Terms by hand and compared with plain counting; variants, other scripts and text sizes."""

from __future__ import annotations

import tomllib
from collections import Counter
from importlib.resources import files
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.core.types import Document
from citescape.search.english import Role, find_singular, find_word
from citescape.search.terms import (
    ANALYSERS,
    MOST_WORDS,
    TermCounts,
    count_terms,
    find_phrases,
    find_words,
)


def phrases(text: str) -> list[str]:
    return [term.form for term in find_phrases(text)]


def keys(text: str, how: str = "phrases") -> list[str]:
    return [term.key for term in ANALYSERS[how](text)]


def list_counts(terms: TermCounts, row: int) -> dict[str, float]:
    """Terms and counts of one text."""
    own = terms.counts[[row]]
    return {terms.keys[k]: n for k, n in zip(own.indices, own.data, strict=True)}


def test_words_of_a_text() -> None:
    text = "The yields of wild-type plants, and of 16S rRNA, fell by 30% in 2018."
    expected = ["yield", "wild type", "plant", "16s", "rrna", "fell"]
    assert keys(text, "words") == expected
    forms = ["yields", "wild-type", "plants", "16s", "rrna", "fell"]
    assert [term.form for term in find_words(text)] == forms


def test_phrases_within_phrases() -> None:
    """Phrases are adjectives and nouns that end in a noun, and all such parts of longer phrases."""
    assert phrases("Durable rice blast resistance.") == [
        "Durable rice",
        "rice",
        "Durable rice blast",
        "rice blast",
        "blast",
        "Durable rice blast resistance",
        "rice blast resistance",
        "blast resistance",
        "resistance",
    ]


@pytest.mark.parametrize(
    ("text", "longest"),
    [
        ("We show that OsMFT1 delays flowering under salt stress", ["OsMFT1 delays flowering"]),
        ("plants grafted onto wild rice", ["plants", "wild rice"]),
        ("buds grafted mutants", ["buds", "grafted mutants"]),
        ("drought-stressed seedlings were grown", ["drought-stressed seedlings"]),
        ("seeds are resistant, tolerant and large", ["seeds"]),
        ("oil seed, feed and weeds", ["oil seed", "feed", "weeds"]),
        ("nitrate was rapidly reduced", ["nitrate"]),
        ("the farmer's field; farmers’ adoption", ["farmer field", "farmers adoption"]),
        ("LC-MS/MS of male/female flowers", ["LC-MS/MS", "female flowers"]),
        ("O. sativa and Oryza sativa L.", ["O. sativa", "Oryza sativa"]),
        ("Background: Rice Methods Wheat", ["Rice", "Wheat"]),
        ("an important new, significantly higher 3.5 and 1,000", []),
        ("this study presents the results of further research", []),
        ("a genome-wide association study", ["genome-wide association study"]),
        ("GENE EXPRESSION IN BARLEY", ["gene expression", "barley"]),
        ("α-amylase", ["α-amylase"]),
    ],
)
def test_ends_of_phrases(text: str, longest: list[str]) -> None:
    found = phrases(text)
    whole = [
        phrase
        for phrase in found
        if not any(phrase != longer and phrase in longer for longer in found)
    ]
    assert [
        phrase for phrase in whole if phrase not in ("salt stress", "stress", "salt")
    ] == longest


def test_no_phrase_is_longer_than_four_words() -> None:
    found = phrases("rice leaf blast fungus effector gene")
    assert max(len(phrase.split()) for phrase in found) == MOST_WORDS
    assert "blast fungus effector gene" in found
    assert "leaf blast fungus effector gene" not in found


@pytest.mark.parametrize(
    "variants",
    [
        ["rice blast", "Rice Blast", "rice blasts", "rice-blast", "RICE-BLAST"],
        ["genome-wide study", "genome wide study", "genome‐wide studies", "Genome–Wide Study"],
        ["Sjögren syndrome", "Sjo\u0308gren syndrome", "sjogren syndromes"],
        ["ﬁeld trial plot", "field trial plots"],
        ["CRISPR/Cas9 line", "CRISPR-Cas9 lines", "CRISPR Cas9 line"],
    ],
)
def test_variants_are_one_term(variants: list[str]) -> None:
    assert len({max(keys(variant), key=len) for variant in variants}) == 1


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        *[("genes", "gene"), ("studies", "study"), ("grasses", "grass"), ("boxes", "box")],
        *[("tomatoes", "tomato"), ("branches", "branch"), ("diseases", "disease")],
        *[("analyses", "analysis"), ("analysis", "analysis"), ("loci", "locus")],
        *[("species", "species"), ("virus", "virus"), ("viruses", "virus"), ("gas", "gas")],
        *[("genomics", "genomics"), ("antibiotics", "antibiotic"), ("topics", "topic")],
        *[("grass", "grass"), ("ties", "tie"), ("maize", "maize"), ("is", "is"), ("", "")],
    ],
)
def test_singular_forms(plural: str, singular: str) -> None:
    assert find_singular(plural) == singular


@pytest.mark.parametrize(
    "pair",
    """
    niche niches, calorie calories, prairie prairies, cache caches, avalanche avalanches, bus buses,
    calf calves, focus foci, stoma stomata, axis axes, status statuses, canvas canvases,
    atlas atlases, cactus cacti, virus viruses, radius radii, radius radiuses, campus campuses,
    use uses, cause causes, greenhouse greenhouses, clause clauses, abuse abuses, toe toes,
    tomato tomatoes, leaf leaves, hypha hyphae, conidium conidia, apex apices, diagnosis diagnoses,
    dose doses, base bases, valve valves, branch branches, pie pies, berry berries, box boxes,
    genius geniuses, grouse grouses, life lives, medium media, gas gases, prosthesis prostheses
    """.replace("\n", " ").split(","),
)
def test_a_word_and_its_plural_have_one_key(pair: str) -> None:
    singular, plural = pair.split()
    assert find_singular(plural) == find_singular(singular) == find_word(plural).key == singular


def test_words_that_keep_their_final_e() -> None:
    """Words in -e whose plural the rules would change: both forms have the same key."""
    text = files("citescape.search").joinpath("english.toml").read_text(encoding="utf-8")
    for word in tomllib.loads(text)["silent"].split():
        assert find_singular(word) == word
        assert find_singular(f"{word}s") == ("axis" if word == "axe" else word)


def test_species_names_with_and_without_blank_are_one_term() -> None:
    assert keys("O.sativa")[-1] == keys("O. sativa")[-1] == "o. sativa"


def test_acronyms_ending_in_s_are_no_plurals() -> None:
    assert find_word("GWAS").key == "gwas"
    assert find_word("QTLs").key == find_word("QTL").key == "qtl"


def test_word_lists_are_consistent() -> None:
    text = files("citescape.search").joinpath("english.toml").read_text(encoding="utf-8")
    read = tomllib.loads(text)
    lists = {name: words.split() for name, words in read.items() if name != "singular"}
    for name, words in lists.items():
        assert [w for w, n in Counter(words).items() if n > 1] == [], name
        assert name == "headings" or all(word == word.lower() for word in words)
    assert {find_word(word).role for word in lists["stop"]} == {Role.ENDS}
    assert {find_word(word).role for word in lists["adjectives"]} == {Role.MODIFIES}
    assert {find_word(word).role for word in lists["nouns"]} == {Role.NAMES}
    by_ending = {find_word(word).role for word in lists["nouns_by_ending"]}
    assert by_ending == {Role.NAMES}
    assert all(find_word(word).generic for word in lists["generic"])
    assert all(find_singular(word) == word for word in read["singular"].values())


def test_displayed_forms_of_terms() -> None:
    """The displayed form is the most frequent of the common forms with fewest capitals."""
    titles = ["Rice Blast", *["rice blast fungi"] * 2, "rice blasts", "Bronze Age", "Rice Blast"]
    terms = count_terms([Document(title) for title in titles])
    names = dict(zip(terms.keys, terms.names, strict=True))
    assert names["rice blast"] == "rice blast"
    assert names["bronze age"] == "Bronze Age"
    seldom = count_terms([Document("QTL")] * 20 + [Document("qtl")])
    assert seldom.names == ["QTL"]
    letters = [f"{a}{b}{c}{d}" for a in "rR" for b in "iI" for c in "cC" for d in "eE"]
    assert count_terms([Document(" ".join([form, "."])) for form in letters]).names == ["rice"]


def test_titles_and_abstracts_are_counted_separately() -> None:
    """No phrase runs from a title into the abstract."""
    terms = count_terms([Document("Wheat", "rust Wheat rust"), Document("", ""), Document("", "x")])
    assert list_counts(terms, 0) == {"wheat": 2, "rust": 2, "rust wheat": 1, "wheat rust": 1} | {
        "rust wheat rust": 1
    }
    assert list_counts(terms, 1) == list_counts(terms, 2) == {}


words = st.lists(
    st.sampled_from(["rice", "Rice", "blast", "genes", "the", "wild", "show", ".", "2", "grown"]),
    max_size=12,
).map(" ".join)
documents = st.lists(st.builds(Document, words, words), max_size=6)


@settings(max_examples=100, deadline=None)
@given(documents, st.sampled_from(sorted(ANALYSERS)), st.randoms())
def test_counts_equal_those_of_plain_python(rows: list[Document], how: str, chance: Any) -> None:
    terms = count_terms(rows, how)
    assert terms.keys == sorted(terms.keys)
    assert len(set(terms.keys)) == len(terms.keys) == terms.counts.shape[1]
    for row, document in enumerate(rows):
        expected = Counter(keys(document.title, how) + keys(document.abstract, how))
        assert list_counts(terms, row) == dict(expected)
    order = list(range(len(rows)))
    chance.shuffle(order)
    again = count_terms([rows[k] for k in order], how)
    assert (again.keys, again.names) == (terms.keys, terms.names)
    assert np.array_equal(again.counts.toarray(), terms.counts.toarray()[order])


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    for how, find in ANALYSERS.items():
        for term in find(text):
            assert term.key
            assert term.form
            assert term.key == " ".join(term.key.split())
            assert any(map(str.isalpha, term.key))
            words = len(term.form.split())
            assert words <= 2 * MOST_WORDS if how == "phrases" else words == 1


def test_texts_in_other_languages() -> None:
    """Words of any language are found; phrases end at punctuation."""
    assert keys("Die Erträge der Pflanzen", "words") == ["die", "ertrage", "der", "pflanzen"]
    assert keys("水稻，小麦", "words") == ["水稻", "小麦"]
    assert keys("水稻，小麦") == ["水稻", "小麦"]
    assert keys("урожай пшеницы")[-1] == "пшеницы"


def test_very_long_texts() -> None:
    text = "rice blast. " * 20_000
    terms = count_terms([Document("", text), Document("rice")])
    assert list_counts(terms, 0) == {"rice": 20_000, "blast": 20_000, "rice blast": 20_000}
    assert len(count_terms([Document("a" * 200_000)]).keys) == 1


def test_no_texts_and_unknown_terms() -> None:
    assert count_terms([]).counts.shape == (0, 0)
    with pytest.raises(ConfigError, match="terms is 'stems'; expected one of: phrases, words"):
        count_terms([], "stems")
