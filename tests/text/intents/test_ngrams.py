"""TF-IDF of n-grams equals that of scikit-learn, also after saving and loading."""

from __future__ import annotations

import numpy as np
import pytest

from citescape.text.intents.contexts import CitationContext
from citescape.text.intents.linear import VIEWS, NgramFeatures, NgramVocabulary, word_ngrams

TEXTS = ["we used the corer cite .", "the corer is used", "", "rust , rust and more rust", "x"]


@pytest.mark.parametrize("name", ["words", "characters"])
def test_tf_idf_equals_scikit_learn(name: str) -> None:
    """An independent implementation of the same formula."""
    text = pytest.importorskip("sklearn.feature_extraction.text")
    shape = {"words": ("word", (1, 3)), "characters": ("char_wb", (2, 5))}
    analyzer, lengths = shape[name]
    words = {"token_pattern": r"(?u)\w+"} if name == "words" else {}
    theirs = text.TfidfVectorizer(
        analyzer=analyzer, ngram_range=lengths, sublinear_tf=True, **words
    )
    wanted = theirs.fit_transform(TEXTS).toarray()
    ours = NgramVocabulary.from_texts(VIEWS[name]._replace(least=1), TEXTS)
    place = [ours.terms.index(term) for term in theirs.get_feature_names_out()]
    result = ours.transform(TEXTS).toarray()
    # char_wb has no n-gram longer than a padded word, and neither have we.
    assert len(place) == len(ours.terms)
    assert result[:, place] == pytest.approx(wanted, abs=1e-6)


def test_rare_and_unknown_ngrams_are_ignored() -> None:
    vocabulary = NgramVocabulary.from_texts(VIEWS["words"], TEXTS)
    assert vocabulary.terms == ["corer", "the", "the corer", "used"]
    assert vocabulary.transform(["nothing of it", ""]).toarray().tolist() == [[0.0] * 4] * 2


def test_ngrams_of_words() -> None:
    assert word_ngrams("a, b c") == ["a", "b", "c", "a b", "b c", "a b c"]
    assert word_ngrams("") == []


def test_only_character_ngrams_are_cached() -> None:
    features = NgramFeatures.from_contexts([CitationContext(text) for text in TEXTS * 3])
    kept = {
        name: hasattr(features_._columns, "cache_info")
        for name, features_ in features.views.items()
    }
    assert kept == {"words": False, "characters": True, "heading": True}


def test_loaded_features_equal_the_saved_ones() -> None:
    contexts = [CitationContext(text, "1. Results", "R") for text in TEXTS * 3]
    features = NgramFeatures.from_contexts(contexts)
    again = NgramFeatures.from_tensors(features.tensors())
    assert np.array_equal(features(contexts).toarray(), again(contexts).toarray())
    assert features(contexts[:1]).toarray() == pytest.approx(features(contexts).toarray()[:1])
