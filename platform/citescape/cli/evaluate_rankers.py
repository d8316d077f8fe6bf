"""`platform evaluate rankers`."""

from __future__ import annotations

import click

from citescape.cli.options import output_options
from citescape.cli.output import echo_json, echo_table

_FURTHER = {
    "sgc:RANKER": "another ranker's vectors, smoothed likewise",
    "RUN": "vectors of `platform embed` or `train graph`; encoder of `train` or `train combine`",
    "FOLDER": "encoder, or vectors.npy and papers.parquet",
    "HUB-ID": "encoder of the Hugging Face hub",
}


@click.command(short_help="List what can be measured.")
@output_options
def rankers(as_json: bool) -> None:
    """List what RANKER may be in evaluations and benchmarks.

    NAME=RANKER gives it a name of its own. The table under an evaluation says of each the dimension
    of its vectors and whether citations, contrast and importance took part in making it.
    """
    from citescape.ranking.foreign import FORMATS
    from citescape.ranking.registry import KINDS

    listed = {
        **{name: kind.meaning for name, kind in KINDS.items()},
        **_FURTHER,
        **{f"FILE{ending}": one.meaning for ending, one in FORMATS.items() if ending != ".bin"},
    }
    if as_json:
        echo_json(listed)
        return
    echo_table(("ranker", "what it is"), listed.items())
