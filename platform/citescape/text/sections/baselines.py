"""Baselines of the sequence model: rules, and words alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from citescape.core.errors import ConfigError
from citescape.loaders.section_types import UNTYPED, Typing, type_section
from citescape.text.sections.gold import allowed_types, revealing_titles
from citescape.text.sections.sequences import TYPES, Flags, Ints, SectionSequences

Predict = Callable[[SectionSequences], Ints]
"""Sections to types (n,); the function itself hides titles that name a type."""


def rules(train: SectionSequences) -> Predict:
    """Rules on titles; sections without a rule get the most frequent type of `train`."""
    frequent = int(np.bincount(train.rule_types[train.own_rule], minlength=len(TYPES)).argmax())

    def predict(sections: SectionSequences) -> Ints:
        hidden, parents = revealing_titles(sections), sections.parents.tolist()
        typings: list[Typing] = []
        for k, title in enumerate(sections.texts("title")):
            above = typings[parents[k]] if parents[k] >= 0 else None
            typings.append(type_section("", "" if hidden[k] else title, above))
        types = [frequent if t == UNTYPED else TYPES.index(t.type) for t in typings]
        return np.array(types, np.int64)

    return predict


def logistic_regression(train: SectionSequences, *, body: bool) -> Predict:
    """TF-IDF of the words of a title, and of the first words of the text with `body`.

    Raises:
        ConfigError: no word is in two sections.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(
        TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=2),
        LogisticRegression(C=10, max_iter=1000),
    )
    known = allowed_types(train).sum(1) == 1
    texts = np.array(_texts(train, revealing_titles(train), body=body), object)
    try:
        model.fit(texts[known], allowed_types(train).argmax(1)[known])
    except ValueError as error:  # no word in two sections, or a single type
        raise ConfigError(
            f"no model of words can be trained on {int(known.sum())} sections with a known type: "
            f"{error}; expected titles that share words: load more papers"
        ) from error

    def predict(sections: SectionSequences) -> Ints:
        types = model.predict(_texts(sections, revealing_titles(sections), body=body))
        return np.asarray(types, np.int64)

    return predict


def _texts(sections: SectionSequences, hidden: Flags, *, body: bool) -> list[str]:
    titles = sections.shown_titles(hidden)
    if not body:
        return titles
    openings = sections.texts("opening")
    return [f"{title} {opening}" for title, opening in zip(titles, openings, strict=True)]
