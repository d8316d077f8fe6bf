"""Cypher as tokens: long and broken statements."""

from __future__ import annotations

import pytest

from citescape.store import tokens as module
from citescape.store.read_only import find_refused
from citescape.store.tokens import split_tokens


def test_only_tokens_of_short_statements_are_kept() -> None:
    module._split_short.cache_clear()
    long = "RETURN " + "1+" * 2_000 + "1"
    assert len(split_tokens(long)) == 4_002
    assert module._split_short.cache_info().currsize == 0
    assert split_tokens("RETURN 1") is split_tokens("RETURN 1")


@pytest.mark.parametrize("quote", ["'", '"'])
def test_a_quote_without_end_is_the_last_token_and_is_refused(quote: str) -> None:
    """A search for the end from each of the quotes that follow would take minutes."""
    text = f"RETURN {quote}" + f"\\{quote}a" * 30_000
    assert split_tokens(f"RETURN {quote}a b")[-1].text == quote
    assert find_refused(f"RETURN {quote}a b", "ladybug")
    assert find_refused(text, "ladybug")
