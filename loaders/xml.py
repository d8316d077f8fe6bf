"""Safe reading of untrusted XML: no network, no external entities, no entity expansion.

Files are read whole into memory, so their size is bounded; libxml2's own limits (depth 256, text
10 MB) stay on.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from lxml import etree

from citescape.core.errors import SourceError

MAX_BYTES = 100_000_000
"""Largest XML document accepted; the largest JATS article seen is about 6 MB."""

SAFE: dict[str, Any] = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "dtd_validation": False,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}
"""Settings of all parsers."""

_BEFORE_ROOT = re.compile(
    rb"\s*(?:<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^>\[]*(?:\[.*?\])?[^>]*>|\s+)*", re.DOTALL
)
_ROOT = re.compile(rb"<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)")
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")

# Some servers put a blank line before the XML declaration.
_LEADING_SPACE = re.compile(rb"(?:\xef\xbb\xbf)?\s+(?=<)")
# A named character, or one by number that may be U+FDD0-U+FDEF.
_ODD_REFERENCE = re.compile(rb"&(?!amp;|lt;|gt;|quot;|apos;|#(?![xX]0*[fF][dD]|0*6[45]))")
_NONCHARACTERS = re.compile("[\ufdd0-\ufdef]")


def parse_xml(data: bytes, path: str) -> etree._Element:
    """The root element of a document.

    Raises:
        SourceError: too large, not well-formed, or it declares entities.
    """
    if len(data) > MAX_BYTES:
        raise too_large(path, len(data))
    data = without_leading_space(data)
    try:
        root = etree.fromstring(data, etree.XMLParser(**SAFE))
    except etree.XMLSyntaxError as error:
        raise _not_well_formed(data, path, error) from None
    refuse_entities(root, path)
    if not is_plain(root, data) or _may_hold_odd_characters(data):
        resolve_named_characters(root)
        _strip_noncharacters(root)
    return root


def root_of(head: bytes) -> bytes:
    """Name of the root element in lower case; empty if these first bytes have none.

    In UTF-16 the same letters have zero bytes between them.
    """
    for mark in _BOMS:
        head = head.removeprefix(mark)
    head = head.replace(b"\x00", b"")
    found = _ROOT.match(head, _BEFORE_ROOT.match(head).end())  # type: ignore[union-attr]
    return found[1].lower() if found else b""


def without_leading_space(data: bytes) -> bytes:
    """The bytes of a document from its first tag on, if only blanks are before it."""
    found = _LEADING_SPACE.match(data)
    return data[found.end() :] if found else data


def is_plain(root: etree._Element, data: bytes) -> bool:
    """Whether a document is in UTF-8, so that its bytes can be searched instead of its tree.

    UTF-16 may have no declaration, or a wrong one.
    """
    encoding = root.getroottree().docinfo.encoding or "UTF-8"
    return encoding.upper() in ("UTF-8", "UTF8", "US-ASCII", "ASCII") and b"\x00" not in data[:4]


def _may_hold_odd_characters(data: bytes) -> bool:
    """Whether a plain document has to be searched for named characters and noncharacters."""
    # Searching for one byte is many times faster than for two, and this byte is rare.
    noncharacter = b"\xef" in data and b"\xef\xb7" in data
    return noncharacter or _ODD_REFERENCE.search(data) is not None


def too_large(path: str, size: int) -> SourceError:
    """The error for a document over `MAX_BYTES`."""
    return SourceError(
        path,
        "too-large",
        f"{size / 1e6:,.0f} MB; an article of more than {MAX_BYTES / 1e6:,.0f} MB is refused",
    )


def _not_well_formed(data: bytes, path: str, error: etree.XMLSyntaxError) -> SourceError:
    """The error for an empty file, a file that is not XML, or XML that is cut off."""
    if not data.strip():
        return SourceError(path, "empty", "the file is empty; expected an XML article")
    head = data.lstrip(b"\xef\xbb\xbf \t\r\n\x00\xff\xfe")[:1]
    detail = (error.msg or "unknown error").splitlines()[0]
    if head != b"<":
        return SourceError(path, "not-xml", f"not XML ({detail}); expected an XML article")
    return SourceError(path, "broken-xml", f"XML breaks off or is damaged: {detail}")


def refuse_entities(root: etree._Element, path: str) -> None:
    """Refuses entity declarations: articles need none, and expanding them is a known attack."""
    subset = root.getroottree().docinfo.internalDTD
    if subset is None:
        return
    if any(True for _ in subset.iterentities()):  # type: ignore[attr-defined]  # lxml-stubs
        raise SourceError(
            path,
            "declares-entities",
            "the document declares entities; refused, because expanding them can "
            "exhaust memory or read local files",
        )


def resolve_named_characters(root: etree._Element) -> None:
    """Replaces named characters such as `&alpha;`, because the DTD is never fetched."""
    for entity in list(root.iter(etree.Entity)):
        replacement = unescape(entity.text or "") + (entity.tail or "")
        before, parent = entity.getprevious(), entity.getparent()
        if parent is None:
            continue
        if before is not None:
            before.tail = (before.tail or "") + replacement
        else:
            parent.text = (parent.text or "") + replacement
        entity.tail = None
        parent.remove(entity)


def _strip_noncharacters(root: etree._Element) -> None:
    """Removes U+FDD0-U+FDEF, which Unicode reserves for internal use of programs."""
    for element in root.iter(etree.Element):
        if element.text and _NONCHARACTERS.search(element.text):
            element.text = _NONCHARACTERS.sub("", element.text)
        if element.tail and _NONCHARACTERS.search(element.tail):
            element.tail = _NONCHARACTERS.sub("", element.tail)
