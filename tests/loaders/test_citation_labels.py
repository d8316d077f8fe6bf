"""Published sets of labelled citations, and plain tables: records, labels, broken files."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from citescape.core.errors import SourceError
from citescape.loaders.citation_labels import (
    FORMATS,
    CitationLabel,
    LabelledContext,
    LabelledWork,
    read_labels,
)

SCICITE: dict[str, Any] = {
    "string": "We use  the method of Lee (2010).",
    "citeStart": 22,
    "citeEnd": 32,
    "sectionName": "2. Methods",
    "label": "method",
    "citingPaperId": "aa11",
    "citedPaperId": "bb22",
    "isKeyCitation": True,
    "excerpt_index": 2,
}
ACL_ARC: dict[str, Any] = {
    "text": "We extend  the parser of Collins (1999) .",
    "cite_marker_offset": [25, 39],
    "citing_paper_id": "P05-1044",
    "cited_paper_id": "J99-1001",
    "citing_paper_year": 2005,
    "cited_paper_year": 1999,
    "citing_author_ids": ["a1", "a2"],
    "cited_author_ids": ["a2"],
    "citing_paper_title": "Contrastive estimation",
    "cited_paper_title": "Head-driven parsing",
    "section_title": "1 Introduction",
    "section_name": "introduction",
    "intent": "Extends",
}
ACT: dict[str, Any] = {
    "unique_id": 1,
    "core_id": 81605842,
    "citing_title": "Everolimus in breast cancer",
    "citing_author": "Müller",
    "cited_title": "Growth of HER2 – a study",
    "cited_author": "Slamon",
    "citation_context": "It was shown by #AUTHOR_TAG et al. that growth stops.",
    "citation_class_label": 4,
    "citation_influence_label": 1,
}
S2AG: dict[str, Any] = {
    "citationid": 9,
    "citingcorpusid": 11,
    "citedcorpusid": 22,
    "isinfluential": True,
    "contexts": ["We follow Wu.", "As in Wu [3]."],
    "intents": [["methodology", "background"], None],
}


def write_lines(path: Path, *records: object) -> Path:
    text = "".join(json.dumps(record) + "\n" for record in records)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text)
    return path


def write_table(
    path: Path, rows: Sequence[Mapping[str, object]], *, encoding: str = "utf-8"
) -> Path:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter="\t" if ".tsv" in path.name else ",")
    writer.writeheader()
    writer.writerows(rows)
    content = text.getvalue().encode(encoding)
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def read(*paths: Path) -> list[CitationLabel]:
    return list(read_labels(paths))


def read_one(path: Path) -> CitationLabel:
    (label,) = read(path)
    return label


@pytest.mark.parametrize("name", ["labels.jsonl", "labels.jsonl.gz", "labels.json"])
def test_scicite(name: str, tmp_path: Path) -> None:
    label = read_one(path := write_lines(tmp_path / name, SCICITE))
    assert label == CitationLabel(
        LabelledWork("s2:aa11"),
        LabelledWork("s2:bb22"),
        is_important=True,
        contexts=(
            LabelledContext(
                "We use the method of Lee (2010).", "2. Methods", "Lee (2010)", None, ("method",)
            ),
        ),
        mentions=3,
        by_context=False,
        place=f"{path}: line 1",
    )


def test_the_marker_of_a_sentence_with_double_spaces(tmp_path: Path) -> None:
    """Offsets count characters as printed; the sentence is stored with single spaces."""
    for record in (SCICITE, ACL_ARC):
        (context,) = read_one(write_lines(tmp_path / "labels.jsonl", record)).contexts
        assert context.marker in context.text
        assert context.marker in ("Lee (2010)", "Collins (1999)")


@pytest.mark.parametrize(("start", "end"), [(None, 5), (5, 5), (9, 2), (-3, 4), ("x", "y")])
def test_offsets_that_are_none_give_no_marker(start: object, end: object, tmp_path: Path) -> None:
    record = {**SCICITE, "citeStart": start, "citeEnd": end}
    assert read_one(write_lines(tmp_path / "labels.jsonl", record)).contexts[0].marker == ""


def test_unknown_intents_of_scicite_are_not_stated(tmp_path: Path) -> None:
    records = [{**SCICITE, "label": label} for label in ("other", None, ["method"], "result")]
    labels = read(write_lines(tmp_path / "labels.jsonl", *records))
    assert [label.contexts[0].intents for label in labels] == [None, None, None, ("result",)]


def test_acl_arc(tmp_path: Path) -> None:
    label = read_one(path := write_lines(tmp_path / "labels.jsonl", ACL_ARC))
    assert label == CitationLabel(
        LabelledWork("acl:P05-1044", "Contrastive estimation", "", 2005, ("a1", "a2")),
        LabelledWork("acl:J99-1001", "Head-driven parsing", "", 1999, ("a2",)),
        is_important=True,
        contexts=(
            LabelledContext(
                "We extend the parser of Collins (1999) .", "1 Introduction", "Collins (1999)"
            ),
        ),
        by_context=True,
        place=f"{path}: line 1",
    )


@pytest.mark.parametrize(
    ("intent", "expected"),
    [
        ("Uses", True),
        ("extends", True),
        ("EXTENDING", True),
        ("Background", False),
        ("CompareOrContrast", False),
        ("Compares/Contrasts", False),
        ("Motivation", False),
        ("Future", False),
    ],
)
def test_intents_of_acl_arc(intent: str, expected: bool, tmp_path: Path) -> None:
    record = {**ACL_ARC, "intent": intent}
    assert read_one(write_lines(tmp_path / "x.jsonl", record)).is_important is expected


def test_acl_arc_without_offsets_or_section_title(tmp_path: Path) -> None:
    record = {**ACL_ARC, "cite_marker_offset": None, "section_title": None, "text": None}
    record["cleaned_cite_text"] = "We extend the parser of @@CITATION ."
    (context,) = read_one(write_lines(tmp_path / "x.jsonl", record)).contexts
    assert context == LabelledContext("We extend the parser of @@CITATION .", "introduction")


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
@pytest.mark.parametrize("name", ["act.csv", "act.tsv", "act.txt", "act.csv.gz", "act.tsv.gz"])
def test_3c_in_several_encodings(name: str, encoding: str, tmp_path: Path) -> None:
    label = read_one(path := write_table(tmp_path / name, [ACT], encoding=encoding))
    assert label == CitationLabel(
        LabelledWork("act:81605842", "Everolimus in breast cancer", authors=("Müller",)),
        LabelledWork(
            "title:growth of her2 – a study", "Growth of HER2 – a study", authors=("Slamon",)
        ),
        is_important=True,
        contexts=(
            LabelledContext(
                "It was shown by #AUTHOR_TAG et al. that growth stops.", "", "#AUTHOR_TAG"
            ),
        ),
        by_context=True,
        place=f"{path}: line 2",
    )


def test_act_with_abstracts_places_and_counts(tmp_path: Path) -> None:
    record = {
        **{key: value for key, value in ACT.items() if key != "core_id"},
        "citing_abstract": "On cancer.",
        "cited_abstract": "On growth.",
        "cited_publication_date": "2001-05-01",
        "citing_publication_info": "Oncology 5 (2012) 1-9",
        "citing_author": "['A. Lee', \"B. O'Hara\"]",
        "cited_author": "Lee, A.; Wu, B.",
        "section_title": "3. Results",
        "citation_offset": 250,
        "total_doc_length": 1000.0,
        "direct_citations": 3.0,
    }
    label = read_one(write_table(tmp_path / "act.csv", [record]))
    assert label.citing == LabelledWork(
        "act:Everolimus in breast cancer",
        "Everolimus in breast cancer",
        "On cancer.",
        2012,
        ("A. Lee", "B. O'Hara"),
    )
    assert label.cited[1:] == (
        "Growth of HER2 – a study",
        "On growth.",
        2001,
        ("Lee, A.", "Wu, B."),
    )
    assert label.contexts[0][1:4] == ("3. Results", "#AUTHOR_TAG", 250 / 1000)
    assert label.mentions == 3


@pytest.mark.parametrize(("offset", "length"), [("", 10), (5, ""), (11, 10), (5, 0), ("nan", 10)])
def test_a_place_outside_the_text_is_missing(
    offset: object, length: object, tmp_path: Path
) -> None:
    record = {**ACT, "citation_offset": offset, "total_doc_length": length}
    assert read_one(write_table(tmp_path / "x.csv", [record])).contexts[0].position is None


@pytest.mark.parametrize(
    ("influence", "class_", "expected"),
    [
        (1, 0, True),
        (0, 2, False),
        ("", 2, True),
        ("", 5.0, True),
        ("", 0, False),
        ("nan", "4", False),
        ("1.0", "", True),
    ],
)
def test_labels_of_act(influence: object, class_: object, expected: bool, tmp_path: Path) -> None:
    record = {**ACT, "citation_influence_label": influence, "citation_class_label": class_}
    assert read_one(write_table(tmp_path / "x.csv", [record])).is_important is expected


def test_s2ag(tmp_path: Path) -> None:
    label = read_one(path := write_lines(tmp_path / "x.jsonl", S2AG))
    assert label == CitationLabel(
        LabelledWork("s2ag:11"),
        LabelledWork("s2ag:22"),
        is_important=True,
        contexts=(
            LabelledContext("We follow Wu.", intents=("background", "method")),
            LabelledContext("As in Wu [3].", intents=None),
        ),
        place=f"{path}: line 1",
    )


def test_s2ag_without_sentences_or_cited_work(tmp_path: Path) -> None:
    bare = {**S2AG, "contexts": None, "intents": None, "isinfluential": False}
    labels = read(write_lines(tmp_path / "x.jsonl", bare, {**S2AG, "citedcorpusid": None}))
    assert [(label.contexts, label.is_important) for label in labels] == [((), False)]


def test_s2ag_as_parquet(tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist([S2AG]), path := tmp_path / "x.parquet")
    assert read_one(path).contexts[0].intents == ("background", "method")
    assert read_one(path).place == f"{path}: row 1"


@pytest.mark.parametrize(("degree", "important"), [(0, False), (1, False), (2, True), ("3", True)])
def test_meaningful_citations(degree: object, important: bool, tmp_path: Path) -> None:
    row = {"Annotator": "A", "Paper": "A00-1043", "Cited-by": "C00-2140", "Follow-up": degree}
    label = read_one(path := write_table(tmp_path / "x.csv", [row]))
    assert label[:3] == (LabelledWork("C00-2140"), LabelledWork("A00-1043"), important)
    assert (label.by_context, label.place) == (False, f"{path}: line 2")


@pytest.mark.parametrize("spelt", ["1", "1.0", "true", "True", " YES ", "important", "T", "y"])
def test_spellings_of_important(spelt: str, tmp_path: Path) -> None:
    row = {"citing": "10.1/a", "cited": "10.1/b", "label": spelt}
    assert read_one(write_table(tmp_path / "x.csv", [row])).is_important is True


@pytest.mark.parametrize("spelt", ["0", "0.0", "false", "No", "incidental", "Unimportant", "f"])
def test_spellings_of_not_important(spelt: str, tmp_path: Path) -> None:
    row = {"CITING": "10.1/a", " Cited": "10.1/b", "Label ": spelt}
    assert read_one(write_table(tmp_path / "x.csv", [row])).is_important is False


@pytest.mark.parametrize("value", [True, 1, 1.0, "yes"])
def test_labels_of_json(value: object, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "x.jsonl", {"citing": 12, "cited": 13.0, "label": value})
    assert read_one(path)[:3] == (LabelledWork("12"), LabelledWork("13"), True)


@pytest.mark.parametrize(
    ("record", "key"),
    [
        (SCICITE, "isKeyCitation"),
        (ACL_ARC, "intent"),
        (S2AG, "isinfluential"),
        ({"citing": "a", "cited": "b"}, "label"),
        ({"Paper": "a", "Cited-by": "b"}, "Follow-up"),
    ],
)
@pytest.mark.parametrize("missing", [None, "", "nan", float("nan"), "None", " "])
def test_records_without_a_label_are_left_out(
    record: dict[str, Any], key: str, missing: object, tmp_path: Path
) -> None:
    assert read(write_lines(tmp_path / "x.jsonl", {**record, key: missing})) == []


def test_act_without_a_label_is_left_out(tmp_path: Path) -> None:
    record = {**ACT, "citation_influence_label": "", "citation_class_label": ""}
    assert len(read(write_table(tmp_path / "x.csv", [record, ACT]))) == 1


@pytest.mark.parametrize(
    ("record", "broken", "found"),
    [
        (SCICITE, {"isKeyCitation": "maybe"}, "'maybe', which is not one of 0, 1, f, false"),
        (SCICITE, {"isKeyCitation": 2}, "the label 2"),
        (SCICITE, {"citedPaperId": None}, "None as an id"),
        (SCICITE, {"citingPaperId": ["x"]}, r"\['x'\] as an id"),
        (SCICITE, {"citedPaperId": "a\ud800"}, "as an id"),
        (ACL_ARC, {"intent": "Ignores"}, "the intent 'Ignores'"),
        (ACL_ARC, {"cite_marker_offset": ["a", "b"]}, "'a'"),
        (S2AG, {"contexts": "We follow Wu."}, "which is not a list"),
        (S2AG, {"intents": {"0": []}}, "which is not a list"),
        (ACT, {"citation_influence_label": 2}, "'2', which is not one of 0 to 1"),
        (ACT, {"citation_influence_label": "", "citation_class_label": 6}, "not one of 0 to 5"),
        (ACT, {"citation_influence_label": 0.5}, "'0.5'"),
        (ACT, {"cited_title": ""}, "no cited_title"),
        ({"Paper": "a", "Cited-by": "b", "Follow-up": 1}, {"Follow-up": 4}, "'4'"),
        ({"Paper": "a", "Cited-by": "b", "Follow-up": 1}, {"Follow-up": "-1"}, "'-1'"),
        ({"citing": "a", "cited": "b", "label": 1}, {"label": "perhaps"}, "'perhaps'"),
        ({"citing": "a", "cited": "b", "label": 1}, {"cited": ""}, "'' as an id"),
    ],
)
def test_broken_records_are_named_by_file_and_line(
    record: dict[str, Any], broken: dict[str, Any], found: str, tmp_path: Path
) -> None:
    path = write_lines(tmp_path / "x.jsonl", record, {**record, **broken})
    expected = rf"x\.jsonl: line 2.*{found}.*correct or remove the record"
    with pytest.raises(SourceError, match=expected):
        read(path)


def test_a_record_without_a_key_of_its_format(tmp_path: Path) -> None:
    record = {key: value for key, value in SCICITE.items() if key != "citedPaperId"}
    with pytest.raises(SourceError, match=r"line 1: found no 'citedpaperid'; .* \(scicite\)"):
        read(write_lines(tmp_path / "x.jsonl", record))


def test_a_cut_row_of_a_table_is_named(tmp_path: Path) -> None:
    (path := tmp_path / "x.csv").write_text("citing,label,cited\na,1,b\nc,1\n")
    with pytest.raises(SourceError, match=r"x\.csv: line 3: found None as an id"):
        read(path)


def test_an_open_quotation_mark_is_an_error_not_a_silent_loss(tmp_path: Path) -> None:
    (path := tmp_path / "x.csv").write_text('citing,cited,label\na,b,1\n"c,d,1\ne,f,0\n')
    with pytest.raises(SourceError, match=r"x\.csv: line \d+.*expected a table; found: unexpected"):
        read(path)


def test_an_unknown_format_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="line 1: found the keys id, doi; expected") as caught:
        read(write_lines(tmp_path / "x.jsonl", {"id": 1, "doi": 2}))
    for format_ in FORMATS:
        assert f"{format_.name}: {', '.join(format_.keys)}" in str(caught.value)


@pytest.mark.parametrize("name", ["x.jsonl", "x.csv", "x.tsv", "x.txt", "x.jsonl.gz", "x.csv.gz"])
def test_an_empty_file(name: str, tmp_path: Path) -> None:
    (path := tmp_path / name).write_bytes(gzip.compress(b"") if ".gz" in name else b"")
    with pytest.raises(SourceError, match=r"found no (records|rows)"):
        read(path)


def test_a_table_of_a_header_alone(tmp_path: Path) -> None:
    (path := tmp_path / "x.csv").write_text("citing,cited,label\n")
    with pytest.raises(SourceError, match="found no rows"):
        read(path)


@pytest.mark.parametrize("name", ["x.jsonl.gz", "x.csv.gz", "x.csv"])
def test_cut_gzip(name: str, tmp_path: Path) -> None:
    """A table is read as gzip by its first bytes, whatever its name."""
    rows = [{"citing": f"10.1/{k}", "cited": f"10.2/{k * k}", "label": k % 2} for k in range(999)]
    whole = (
        write_table(tmp_path / "w.csv.gz", rows)
        if "csv" in name
        else write_lines(tmp_path / "w.jsonl.gz", *rows)
    )
    (path := tmp_path / name).write_bytes(whole.read_bytes()[:-900])
    with pytest.raises(SourceError, match=rf"{name}.*(cut off|damaged)"):
        read(path)


def test_lines_that_are_not_json_or_objects(tmp_path: Path) -> None:
    for line, found in (("{", "not JSON"), ("[1]", "expected an object"), ("7", "an object")):
        (path := tmp_path / "x.jsonl").write_text(json.dumps(SCICITE) + f"\n{line}\n")
        with pytest.raises(SourceError, match=rf"line 2.*{found}"):
            read(path)


def test_a_missing_file(tmp_path: Path) -> None:
    for name in ("none.jsonl", "none.csv", "none.parquet"):
        with pytest.raises(SourceError, match=name):
            read(tmp_path / name)


HOSTILE = (
    '=HYPERLINK("http://x","y")',
    "<script>alert(1)</script>",
    "\ud800half",
    "a\x00b",
    "\u202e",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_kept_as_text(text: str, tmp_path: Path) -> None:
    """Half of a surrogate pair, which no store can hold, becomes the replacement character."""
    record = {**ACL_ARC, "text": f"See {text} .", "cited_paper_title": text}
    record |= {"citing_author_ids": [text], "section_title": text, "cite_marker_offset": None}
    label = read_one(write_lines(tmp_path / "x.jsonl", record))
    clean = text.replace("\ud800", "\ufffd")
    assert label.cited.title == label.citing.authors[0] == label.contexts[0].section == clean
    assert label.contexts[0].text == f"See {clean} ."
    repr(label).encode()


def test_several_files_in_order_each_with_its_format(tmp_path: Path) -> None:
    first = write_lines(tmp_path / "b.jsonl", SCICITE)
    second = write_table(tmp_path / "a.csv", [{"citing": "x", "cited": "y", "label": 0}])
    assert [label.citing.id for label in read(first, second)] == ["s2:aa11", "x"]
