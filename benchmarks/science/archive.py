"""What the crops archive and the ACL Anthology Network hold, as loaded.

    python benchmarks/science/archive.py

Losses and notes by reason, section types by rules, notices, and names in reference lists, which
the pages on loading quote. Results are kept in benchmarks/results/science/archive.json. It takes
two minutes.

Names with two initials show whether self-citations join the right people. In a pair of a citing
and a cited paper, two names with equal surname and first initial, each with a second initial, are
one person or two. Two people agree in the second initial by chance with probability
c = sum over initials of (share of the initial)^2, so that D pairs that differ stand for
D c / (1 - c) pairs of two people that agree.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from citescape.corpus import Corpus, open_corpus
from citescape.ingest.names import block_names, initials_of

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results" / "science" / "archive.json"
DATA = Path(os.environ.get("CITESCAPE_DATA") or ROOT.parent / "shared" / "data")
Row = dict[str, Any]


def measure_archive(corpus: Corpus) -> Row:
    """Pointers, references, sections and notices of the loaded papers."""
    rows = corpus.cypher(
        "MATCH (p:Paper) WHERE p.fulltext RETURN p.losses AS losses, p.type AS type"
    ).arrow.to_pylist()
    found: Row = {"papers": len(rows), "anchors": 0, "implied": 0}
    lost: Counter[str] = Counter()
    notes: Counter[str] = Counter()
    for row in rows:
        losses = json.loads(row["losses"])
        found["anchors"] += losses["anchors"]
        found["implied"] += losses["implied"]
        lost.update(losses["lost"])
        notes.update(losses["notes"])
    found |= {"lost": dict(lost), "notes": dict(notes)}
    found["occurrences"] = found["anchors"] - lost.total()
    (references,) = corpus.cypher(
        "MATCH (r:Reference) RETURN count(r) AS references, sum(CASE WHEN r.doi IS NOT NULL OR "
        "r.pmid IS NOT NULL OR r.pmcid IS NOT NULL THEN 1 ELSE 0 END) AS references_with_id"
    ).arrow.to_pylist()
    found |= references
    found["references_with_id_percent"] = 100 * found["references_with_id"] / found["references"]
    sections = corpus.cypher(
        "MATCH (s:Section) WHERE s.kind = 'body' AND s.depth = 1 "
        "RETURN s.type_source AS source, s.type AS type, count(s) AS sections ORDER BY source, type"
    ).arrow.to_pylist()
    sources: Counter[str] = Counter()
    for row in sections:
        sources["other" if row["type"] == "other" else row["source"]] += row["sections"]
    found["top_sections"] = sources.total()
    found["top_sections_other"] = sources["other"]
    found["top_sections_percent"] = {
        source: 100 * number / sources.total() for source, number in sources.items()
    }
    found["notices"] = corpus.cypher(
        "MATCH (n:Notice) RETURN n.kind AS kind, n.stated_by AS stated_by, count(n) AS notices "
        "ORDER BY kind, stated_by"
    ).arrow.to_pylist()
    return found


def measure_names(corpus: Corpus) -> Row:
    """Agreement of second initials between citing and cited papers."""
    names = corpus.cypher(
        "MATCH (p:Paper) RETURN p.id AS paper, p.surnames AS surnames, p.givens AS givens"
    ).arrow.to_pylist()
    people = {
        (row["paper"], row["position"]): row["author"]
        for row in corpus.cypher(
            "MATCH (a:Author)-[w:WROTE]->(p:Paper) "
            "RETURN p.id AS paper, w.position AS position, a.id AS author"
        ).arrow.to_pylist()
    }
    pairs = corpus.cypher(
        "MATCH (a:Paper)-[:CITES]->(b:Paper) RETURN a.id AS citing, b.id AS cited"
    ).arrow.to_pylist()
    printed: Counter[tuple[str, str]] = Counter()
    seconds: Counter[str] = Counter()
    by_paper: dict[str, dict[tuple[str, str], list[tuple[str, str]]]] = {}
    for row in names:
        by_name = defaultdict(list)
        initials = initials_of(row["givens"] or [])
        for place, (surname, letters) in enumerate(
            zip(block_names(row["surnames"] or []), initials, strict=True)
        ):
            printed[surname, letters[:1]] += 1
            if len(letters) > 1:
                seconds[letters[1]] += 1
                person = people.get((row["paper"], place), "")
                by_name[surname, letters[0]].append((letters[1], person))
        by_paper[row["paper"]] = dict(by_name)
    agree = differ = joined = 0
    for pair in pairs:
        citing, cited = by_paper[pair["citing"]], by_paper[pair["cited"]]
        for name in citing.keys() & cited.keys():
            for letter, person in citing[name]:
                for other, other_person in cited[name]:
                    agree += letter == other
                    differ += letter != other
                    joined += letter == other and person == other_person
    chance = sum((number / seconds.total()) ** 2 for number in seconds.values())
    return {
        "agree": agree,
        "differ": differ,
        "agree_and_joined": joined,
        "equal_by_chance_percent": 100 * chance,
        "two_people_expected": differ * chance / (1 - chance),
        "one_person_percent": 100 * (1 - differ / (1 - chance) / (agree + differ)),
        "y_wang_printed": printed["wang", "y"],
    }


def measure_tables(loaded: Mapping[str, Any]) -> Row:
    """Papers and citations of AAN: lines = kept + left out."""
    (table,) = loaded["tables_of_citations"]
    return {
        "papers": loaded["table_papers"],
        "lines": table["kept"] + sum(table["lost"].values()),
        **{key: table[key] for key in ("kept", "lost", "notes")},
    }


def main() -> None:
    """Loads both data sets and writes the results."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    found: Row = {"date": datetime.now(UTC).date().isoformat()}
    found["versions"] = {name: version(name) for name in ("citescape", "ladybug")}
    with tempfile.TemporaryDirectory() as folder:
        for name, source in {"crops": "oa_crops.tar.xz", "aan": "aan"}.items():
            place = Path(folder) / name
            with open_corpus(place / "corpus.lbug", runs=place / "runs", create=True) as corpus:
                loaded = corpus.ingest([DATA / source])
                if name == "aan":
                    found[name] = measure_tables(loaded.summarise().figures)
                else:
                    found[name] = measure_archive(corpus) | {"names": measure_names(corpus)}
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
