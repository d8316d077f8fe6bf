r"""LaTeX as plain text: accents, symbols and maths as characters, commands resolved or removed.

For sentences, not for pages: commands without words, such as labels and lengths, are removed. No
package understands all of TeX; pylatexenc, the best known, stops at `\newcommand` and at nested
braces, and does not give the position of a word in the source.
"""

from __future__ import annotations

import re
import unicodedata

KEPT = re.compile("[\U000f0000-\U000ffffd]")
"""Characters that callers put in place of commands: the Supplementary Private Use Area A."""

_ACCENTS = {
    '"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "=": "\u0304",
    ".": "\u0307", "H": "\u030b", "c": "\u0327", "k": "\u0328", "u": "\u0306", "r": "\u030a",
    "b": "\u0331", "d": "\u0323", "v": "\u030c", "t": "\u0361",
}  # fmt: skip
_SYMBOLS = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ",
    "aa": "å", "AA": "Å", "i": "i", "j": "j", "dh": "ð", "th": "þ", "S": "§", "P": "¶",
    "dots": "…", "ldots": "…", "cdots": "…", "textellipsis": "…", "textendash": "–",
    "textemdash": "—", "textquoteright": "’", "textquoteleft": "‘", "textdegree": "°",
    "degree": "°", "circ": "°", "celsius": "°C", "percent": "%", "textpercent": "%",
    "textasciitilde": "~", "sim": "~", "textbackslash": "\\", "textunderscore": "_",
    "pm": "±", "textpm": "±", "times": "×", "texttimes": "×", "cdot": "·", "le": "≤", "leq": "≤",
    "ge": "≥", "geq": "≥", "neq": "≠", "ne": "≠", "approx": "≈", "equiv": "≡", "propto": "∝",
    "to": "→", "rightarrow": "→", "leftarrow": "←", "infty": "∞", "partial": "∂", "sum": "∑",
    "prod": "∏", "int": "∫", "in": "∈", "cup": "∪", "cap": "∩", "textmu": "µ", "micro": "µ",
    "LaTeX": "LaTeX", "TeX": "TeX", "copyright": "©", "euro": "€", "pounds": "£",
}  # fmt: skip
_WITHOUT_WORDS = (
    "label|ref|eqref|[cC]ref|[aA]utoref|pageref|nameref|index|[vh]space|includegraphics|"
    "bibliography|bibliographystyle|addbibresource|printbibliography|pagestyle|thispagestyle|"
    "setlength|addtolength|url|todo|nocite|textcolor|color|href|thanks|affil|email|orcid|"
    "documentclass|usepackage|RequirePackage|begin|end|input|include|subfile|fontsize|phantom"
)
_OPTION = rf"\[[^\[\]{KEPT.pattern[1:-1]}]{{0,500}}\]"
_TOKEN = re.compile(
    rf"""
    \\(?P<accent>["'`^~=.])\s*\{{?\s*\\?(?P<on>[A-Za-z])
  | \\(?P<mark>[Hckurbdvt])(?:\s*\{{\s*\\?(?P<under>[A-Za-z])\s*\}}|[ \t]+(?P<beside>[A-Za-z])\b)
  | \\(?:{_WITHOUT_WORDS})\b\*?\s*(?:{_OPTION})*\s*\{{[^{{}}]*\}}
  | \\(?P<name>[A-Za-z@]+)\*?(?:[ \t]*{_OPTION})*[ \t]*
  | \\(?P<escaped>[%&\#_{{}}$])
  | \\\\\*?(?:[ \t]*{_OPTION})?
  | \\.
  | (?P<sign>``|''|---|--)
  | (?P<gap>[~&]|\}}\s*\{{)
  | [{{}}$^_\\]
    """,
    re.VERBOSE | re.DOTALL,
)
_SIGNS = {"``": "“", "''": "”", "---": "—", "--": "–"}


def to_plain(text: str) -> str:
    """LaTeX as text on one line, composed (NFC); characters of `KEPT` stay.

    Braces are ignored, so that groups need not be balanced.
    """
    return unicodedata.normalize("NFC", " ".join(_TOKEN.sub(_resolve, text).split()))


def _resolve(match: re.Match[str]) -> str:
    part = match.groupdict("")
    if part["accent"] or part["mark"]:
        letter = part["on"] or part["under"] or part["beside"]
        return letter + _ACCENTS[part["accent"] or part["mark"]]
    name = part["name"]
    if name in _SYMBOLS:
        return _SYMBOLS[name]
    if name:  # `Delta` is Δ; commands that print nothing are removed
        letter = name.removeprefix("var").replace("lambda", "lamda").replace("Lambda", "Lamda")
        size = "CAPITAL" if letter[:1].isupper() else "SMALL"
        try:
            return unicodedata.lookup(f"GREEK {size} LETTER {letter.upper()}")
        except KeyError:
            return ""
    if part["gap"] or (match.group().startswith("\\") and not part["escaped"]):
        return "" if match.group() in ("\\/", "\\-", "\\!") else " "
    return part["escaped"] or _SIGNS.get(part["sign"], "")
