"""Limits the rows of a statement in its text, so that an engine does not compute the others."""

from __future__ import annotations

from citescape.store.tokens import split_tokens

_OWN_LIMITS = frozenset({"LIMIT", "UNION", "NEXT", "FINISH", "WHEN"})
"""Words after which, or with which, a limit at the end is wrong or means something else."""


def limit_rows(text: str, most: int) -> str:
    """The statement with a LIMIT at its end, or unchanged where that may change its meaning.

    It is unchanged if it has a limit, if it is a UNION, where a limit would be that of the last
    part, and if its last clause is not RETURN. Names that look like such words have the same
    effect, so a caller still counts the rows.

    Args:
        text: one statement that only reads.
        most: maximum number of rows.
    """
    words, depth = [], 0
    for token in split_tokens(text):
        if token.kind == "sign":
            depth += (token.text in "{([") - (token.text in "})]")
        elif token.kind == "word" and not depth:
            words.append(token.text.upper())
    if "RETURN" not in words:
        return text
    last = len(words) - words[::-1].index("RETURN")
    if "UNION" in words or _OWN_LIMITS.intersection(words[last:]):
        return text
    return f"{text.rstrip().rstrip(';')}\nLIMIT {most}"
