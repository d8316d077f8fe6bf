"""Exports of Web of Science -> `Paper`: plain text (`savedrecs.txt`) and tab-delimited.

https://webofscience.help.clarivate.com/en-us/Content/wos-core-collection/woscc-field-tags.htm. A
paper has no text; its references are as printed. Fields have names of two letters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from citescape.core.errors import SourceError
from citescape.core.identifiers import normalise_doi, normalise_orcid, normalise_pmid
from citescape.core.types import (
    Author,
    Identifiers,
    Institution,
    Losses,
    Notice,
    Paper,
    Reference,
    Venue,
)
from citescape.loaders import xml
from citescape.loaders.countries import country_of_affiliation
from citescape.loaders.dates import date_of
from citescape.loaders.export_rows import BrokenRecord
from citescape.loaders.jats_front import unique
from citescape.loaders.languages import language_of
from citescape.loaders.markup import strip_markup
from citescape.loaders.printed import split_printed_name
from citescape.loaders.record_values import Record, name_keys, texts, to_mapping, to_text
from citescape.loaders.scopus import find_issn
from citescape.loaders.work_types import RESEARCH, article_type
from citescape.loaders.wos_references import read_entry

VERSION = "wos-2"
"""Increase it when the same record is read differently, so that it is loaded again."""

TAGS = frozenset(
    (
        *("AU", "AF", "CA", "TI", "SO", "LA", "DT", "DE", "ID", "AB", "C1", "CR", "PY", "DI", "PM"),
        *("UT", "SN", "EI", "OI", "WC", "SC"),
    )
)
"""Fields that are read. The count of citations (`TC`) is not: it differs between exports."""
_TAGGED = re.compile(r"([A-Z][A-Z0-9])(?: (.*))?")
_FIRST = re.compile(r"FN [^\n]*\n\s*VR |PT [A-Z]{1,2}\s*\n(?:AU|AF|CA|BA|BE|GP|TI) ")
_OUTSIDE = ("FN", "VR", "EF")
"""Fields of the file, not of a record."""
_RETRACTED = ("retracted publication", "retracted-publication", "withdrawn publication")
_NO_TYPES = (*_RETRACTED, "early access", "publication with expression of concern")
_ADDRESS = re.compile(r"(?:\[([^\]]*)\]\s*)?(.*)", re.DOTALL)


def is_export(text: str) -> bool:
    """Whether a file with this beginning is an export of Web of Science, in either form."""
    header = text.partition("\n")[0].rstrip("\r").split("\t")
    return {"PT", "AU", "TI"} <= {*header} or _FIRST.match(text.replace("\r", "")) is not None


def split_records(lines: Iterator[str]) -> Iterator[Record | BrokenRecord]:
    """The fields of each record that are read: a list of lines, or the text of a cell."""
    first = next((line for line in lines if line.strip()), "")
    if "\t" in first:
        yield from _split_rows(first.rstrip("\r\n").split("\t"), lines)
    else:
        yield from _split_tagged(first, lines)


def _split_rows(header: Sequence[str], lines: Iterator[str]) -> Iterator[Record | BrokenRecord]:
    """Rows of a tab-delimited table; quotation marks are text, unless a spreadsheet added them."""
    columns = len([name for name in header if name.strip()])
    places = [(name, place) for place, name in enumerate(header) if name in TAGS]
    for line in lines:
        cells = line.rstrip("\r\n").split("\t")
        while len(cells) > columns and not cells[-1].strip():
            cells.pop()
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != columns:
            message = f"cells in this row: {len(cells)}; the header has {columns}"
            yield BrokenRecord("broken-row", f"begins with {line[:40].strip()!r}: {message}")
        else:
            values = ((name, to_text(_unquote(cells[place]))) for name, place in places)
            yield {name: value for name, value in values if value}


def _unquote(cell: str) -> str:
    inside = cell[1:-1]
    quoted = len(cell) > 1 and cell[0] == cell[-1] == '"' and '"' not in inside.replace('""', "")
    return inside.replace('""', '"') if quoted else cell


def _split_tagged(first: str, lines: Iterator[str]) -> Iterator[Record | BrokenRecord]:
    """Records of plain text: lines of a field after its first begin with blanks; `ER` ends one."""
    record: dict[str, list[str]] = {}
    tag, size = "", 0

    def finish(reason: str = "", message: str = "") -> Record | BrokenRecord:
        if reason:
            title = " ".join(record.get("TI", [])) or " ".join(record.get("UT", []))
            name = f"record {title[:60]!r}" if title else "a record without title"
            return BrokenRecord(reason, f"{name} {message}")
        if size > xml.MAX_BYTES:
            return BrokenRecord("too-large", f"a record of over {xml.MAX_BYTES:,} characters")
        return {name: values for name, values in record.items() if name in TAGS and any(values)}

    for line in chain([first], lines):
        text = line.lstrip("\ufeff").rstrip()
        found = _TAGGED.fullmatch(text)
        if found is None:
            size += len(text)
            if record and text and size <= xml.MAX_BYTES:
                record[tag].append(to_text(text))
            continue
        name = found[1]
        if name == "ER":
            if record:
                yield finish()
            record, size = {}, 0
            continue
        if record and name in ("PT", "EF"):
            yield finish("cut-off", "has no end; expected a line ER")
            record, size = {}, 0
        if not record and name in _OUTSIDE:
            continue
        tag = name
        size += len(text)
        if size <= xml.MAX_BYTES or tag not in record:
            record.setdefault(tag, []).append(to_text(found[2] or "")[: xml.MAX_BYTES])
    if record:
        yield finish("cut-off", "has no end; the file is cut off: export it again")


def is_record(record: Record) -> bool:
    """Whether a JSON object is a record of an export, as `exports` writes it."""
    return isinstance(record.get("wos"), dict)


def read_wos(record: Record, path: str, sha256: str) -> Paper:
    """Reads one record.

    Args:
        record: the record, see `split_records`, under the key `wos`.
        path: path of the record, for messages and `Paper.path`.
        sha256: hash of the record.

    Raises:
        SourceError: neither DOI, PMID nor title.
    """
    notes: Counter[str] = Counter()
    fields = to_mapping(record.get("wos"))
    own = Identifiers(
        normalise_doi(_text(fields, "DI"), whole=True), normalise_pmid(_text(fields, "PM"))
    )
    title = strip_markup(_text(fields, "TI"))
    if not title and not any(own):
        message = f"a record with {name_keys(fields) or 'no field'}; expected a title, DOI or PMID"
        raise SourceError(path, "not-a-paper", message)
    authors, institutions = _authors(fields, notes)
    date, bad_year = date_of(_text(fields, "PY"), "")
    types = [name.lower() for name in _parts(fields, "DT")]
    type_ = next((article_type(name) for name in types if name not in _NO_TYPES), "")
    is_retracted = not {*types}.isdisjoint(_RETRACTED)
    references = tuple(_references(fields, own, notes))
    notes["no-title"] += not title
    notes["bad-year"] += bad_year
    source = strip_markup(_text(fields, "SO"))
    issn = find_issn(_text(fields, "SN")) or find_issn(_text(fields, "EI"))
    identity = _text(fields, "UT").removeprefix("WOS:")
    has_key = title and (date.year or authors)  # joins records of several sources
    return Paper(
        path=path,
        sha256=sha256,
        ids=own,
        title=title,
        abstract=strip_markup(_text(fields, "AB")),
        year=date.year,
        date=date.text,
        article_type=type_ or (RESEARCH if is_retracted else ""),
        language=language_of(_text(fields, "LA")),
        venue=Venue(source, issn) if source else None,
        authors=authors,
        keywords=unique(strip_markup(word) for tag in ("DE", "ID") for word in _parts(fields, tag)),
        subjects=unique(strip_markup(w) for tag in ("WC", "SC") for w in _parts(fields, tag)),
        references=references,
        losses=Losses(0, 0, {}, dict(+notes)),
        notices=(Notice("retraction", "work", own, Identifiers()),) if is_retracted else (),
        own_id=f"wos:{identity}" if identity and not has_key else "",
        loader=VERSION,
        institutions=institutions,
    )


def _text(fields: Record, tag: str) -> str:
    """A field as one text."""
    return " ".join(texts(fields.get(tag)))


def _parts(fields: Record, tag: str) -> list[str]:
    """The parts of a field that `;` separates."""
    return [part.strip() for part in _text(fields, tag).split(";") if part.strip()]


def _items(fields: Record, tag: str, separator: str) -> list[str]:
    """The items of a field: lines of plain text, or parts of a cell."""
    value = fields.get(tag)
    if isinstance(value, list):
        return list(texts(value))
    return [part.strip() for part in re.split(separator, to_text(value)) if part.strip()]


def _authors(
    fields: Record, notes: Counter[str]
) -> tuple[tuple[Author, ...], tuple[Institution, ...]]:
    """The by-line with ORCID, and the affiliations that belong to an author, each once."""
    short, full = (_items(fields, tag, r";") for tag in ("AU", "AF"))
    names = full if not short or len(full) == len(short) else short
    pairs = [(name, a) for name in names if (a := split_printed_name(strip_markup(name)))]
    notes["author-without-name"] += len(names) - len(pairs)
    groups = [Author(strip_markup(name), role="group") for name in _items(fields, "CA", r";")]
    authors = [author for _, author in pairs] + [group for group in groups if group.surname]
    keys = [_name_key(author) for author in authors]
    by_name: dict[tuple[str, str], list[int]] = {}
    for i, key in enumerate(keys):
        by_name.setdefault(key, []).append(i)
    orcids = {}
    for entry in _parts(fields, "OI"):
        name, _, orcid = entry.rpartition("/")
        if person := split_printed_name(name):
            orcids[_name_key(person)] = normalise_orcid(orcid)
    places: dict[Institution, int] = {}
    own: list[list[int]] = [[] for _ in authors]
    addresses = _addresses(fields)
    for address in addresses:
        found = _ADDRESS.fullmatch(address)
        place = strip_markup(found[2]).rstrip(" .") if found else ""
        listed = (found[1] or "") if found else ""
        named = {_name_key(a) for name in listed.split(";") if (a := split_printed_name(name))}
        if not listed and len(addresses) > 1 and len(authors) > 1:
            notes["affiliation-without-author"] += 1
            continue
        people = sorted(i for name in named for i in by_name.get(name, ()))
        institution = Institution(place, country_of_affiliation(place))
        for i in (people if listed else range(len(authors))) if place else ():
            own[i].append(places.setdefault(institution, len(places)))
    return tuple(
        author._replace(
            orcid=orcids.get(keys[i]) if len(by_name[keys[i]]) == 1 else None,
            institutions=tuple(dict.fromkeys(own[i])),
        )
        for i, author in enumerate(authors)
    ), tuple(places)


def _addresses(fields: Record) -> list[str]:
    """The addresses; names before them are in brackets, and also separated by `;`."""
    addresses: list[str] = []
    is_open = False
    for part in _items(fields, "C1", r";"):
        if is_open:
            addresses[-1] += f"; {part}"
        else:
            addresses.append(part)
        is_open = part.rfind("[") > part.rfind("]") or (is_open and "]" not in part)
    return addresses


def _name_key(author: Author) -> tuple[str, str]:
    """Surname and first initial: full names and short ones of one record are the same people."""
    return author.surname.casefold(), author.given[:1].casefold()


def _references(fields: Record, own: Identifiers, notes: Counter[str]) -> Iterator[Reference]:
    for rank, entry in enumerate(_items(fields, "CR", r";\s+"), start=1):
        reference = read_entry(strip_markup(entry), rank)
        if own.doi is not None and reference.ids.doi == own.doi:
            notes["self-citation"] += 1
        elif not reference.text.strip(" ,.;"):
            notes["bad-reference"] += 1
        else:
            yield reference
