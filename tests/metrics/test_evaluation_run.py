from __future__ import annotations

from citescape.core.types import Document
from citescape.metrics.evaluation_run import describe_rankers
from citescape.papers.documents import make_corpus
from citescape.ranking.random import Random


def test_papers_are_counted_by_id_prefix() -> None:
    ids = ["12", "aan:1", "aan:b:2", "doi:10.1/x:y", "key:1", "key:2", "key:3"]
    documents = [Document("On rice", "It grows." if id_ == "12" else "") for id_ in ids]
    description = describe_rankers({"random": Random()}, make_corpus(ids, documents))
    assert list(description["ids"].items()) == [("key", 3), ("aan", 2), ("doi", 1)]
    assert description["lacking"] == {"random": 0}
    assert description["title_only"] == 6
    assert describe_rankers({}, make_corpus(ids[:1], documents[:1]))["ids"] == {}
