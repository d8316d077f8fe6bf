from __future__ import annotations

import pyarrow as pa

from citescape.evaluation.evaluated import describe_rankers
from citescape.ranking.random import Random


def test_papers_are_counted_by_the_name_that_their_ids_begin_with() -> None:
    ids = pa.array(["12", "aan:1", "aan:b:2", "doi:10.1/x:y", "key:1", "key:2", "key:3"])
    told = describe_rankers({"random": Random()}, ids)
    assert list(told["ids"].items()) == [("key", 3), ("aan", 2), ("doi", 1)]
    assert told["lacking"] == {"random": 0}
    assert describe_rankers({}, pa.array([], pa.string()))["ids"] == {}
