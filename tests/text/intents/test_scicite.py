"""The format of SciCite, and invalid input."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from citescape.core.errors import ConfigError, SourceError
from citescape.text.intents.contexts import MOST_CHARACTERS
from citescape.text.intents.scicite import check_intents, parse_example, read_examples

GOOD = {"string": "We used it [1].", "sectionName": "2. Methods", "label": "method"}


def write(folder: Path, *lines: object) -> Path:
    path = folder / "a.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def test_a_record_of_scicite() -> None:
    example = parse_example({**GOOD, "citingPaperId": "abc", "citeStart": math.nan})
    assert example.context.section == "M"
    assert (example.intents, example.group) == (("method",), "abc")


@pytest.mark.parametrize("title", [None, math.nan, "", 3])
def test_a_section_may_be_unknown(title: object) -> None:
    example = parse_example({**GOOD, "sectionName": title}).context
    assert (example.title, example.section) == ("", "other")
    missing = {name: value for name, value in GOOD.items() if name != "sectionName"}
    assert parse_example(missing).context == example._replace(text=GOOD["string"])


@pytest.mark.parametrize(
    ("labels", "intents"),
    [(["result", "background"], ("background", "result")), ([], ()), (["method"], ("method",))],
)
def test_several_intents_or_no_intent(labels: list[str], intents: tuple[str, ...]) -> None:
    assert parse_example({"string": "x", "labels": labels}).intents == intents


@pytest.mark.parametrize(
    ("id_", "group"),
    [(None, ""), (math.nan, ""), (math.inf, ""), ("", ""), ([], ""), ("a", "a"), (12, "12")],
)
def test_a_citing_paper_may_be_unknown(id_: object, group: str) -> None:
    """pandas writes NaN for missing values: such lines do not belong to one paper."""
    assert parse_example({**GOOD, "citingPaperId": id_}).group == group


def test_positions_beyond_the_text() -> None:
    long = "a" * 3_000
    example = parse_example({**GOOD, "string": long, "citeStart": 10**400}).context.text
    assert len(example) == MOST_CHARACTERS


def test_a_long_text_is_cut_around_its_citation() -> None:
    text = "a" * 60_000 + "[12]" + "b" * 40_000
    example = parse_example({**GOOD, "string": text, "citeStart": 60_000.0}).context.text
    assert len(example) == MOST_CHARACTERS
    assert "[12]" in example
    start = parse_example({**GOOD, "string": text, "citeStart": math.nan}).context.text
    assert start == text[:MOST_CHARACTERS]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"string": "We used', "found not JSON"),
        ("[1]", "found a list, not an object"),
        ({"label": "method"}, "found no text under 'string'"),
        ({"string": math.nan, "label": "method"}, "found no text under 'string'"),
        ({"string": "x"}, "found neither a 'label' nor a list 'labels'"),
        ({"string": "x", "label": "contrast"}, "found label 'contrast'"),
        ({"string": "x", "label": ["method"]}, r"found label \['method'\]"),
        ({"string": "x", "labels": ["method", "use"]}, "found label 'use'"),
        ({"string": "x", "labels": "method"}, "neither a 'label' nor a list"),
        ('{"string": "a \\ud800 b", "label": "method"}', "lone surrogate .* under 'string'"),
        ({**GOOD, "sectionName": "\udfff"}, "lone surrogate .* under 'sectionName'"),
        ({**GOOD, "citingPaperId": "\ud800"}, "lone surrogate .* under 'citingPaperId'"),
        ({**GOOD, "citeStart": math.inf}, "found inf under 'citeStart'"),
        ({**GOOD, "string": "x" * 3_000, "citeStart": -math.inf}, "found -inf under 'citeStart'"),
        ('{"string": ' + "[" * 100_000, "found not JSON"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, line: object, message: str) -> None:
    path = write(tmp_path, GOOD, "", line)
    with pytest.raises(SourceError, match=rf"a\.jsonl:3: .*{message}.*expected one JSON object"):
        read_examples([path])


def test_files_without_examples(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no labelled citation in .*a\.jsonl; expected lines"):
        read_examples([write(tmp_path, "", "  ")])
    with pytest.raises(SourceError, match="cannot be read: No such file"):
        read_examples([tmp_path / "absent.jsonl"])
    (tmp_path / "b.jsonl").write_bytes(b"\xff\xfe{")
    with pytest.raises(SourceError, match="expected JSON lines in UTF-8"):
        read_examples([tmp_path / "b.jsonl"])


def test_a_missing_class_is_named(tmp_path: Path) -> None:
    example = parse_example(GOOD)
    with pytest.raises(ConfigError, match=r"background, result missing or rare .*\(0 background"):
        check_intents([example] * 20, fewest=10)
    every = parse_example({"string": "x", "labels": ["background", "method", "result"]})
    with pytest.raises(ConfigError, match="background nearly always"):
        check_intents([every] * 20, fewest=10)


def test_the_published_scicite_data(data: Path) -> None:
    examples = read_examples([data / "scicite" / "dev.jsonl"])
    assert len(examples) == 916
    assert all(len(example.intents) == 1 for example in examples)
