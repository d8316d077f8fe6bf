"""Progress of long work."""

from __future__ import annotations

from citescape.core.progress import describe_remaining


def test_the_remaining_time_follows_from_the_rate() -> None:
    assert describe_remaining(3.0, done=0, left=7) == ""
    assert describe_remaining(20.0, done=2, left=5) == ", about 50 s left"
    assert describe_remaining(60.0, done=10, left=120) == ", about 12 min left"
