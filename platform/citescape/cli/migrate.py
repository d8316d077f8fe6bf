"""`platform migrate`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from citescape.cli.options import output_options, store_option
from citescape.cli.output import echo_json
from citescape.errors import SchemaVersionError

if TYPE_CHECKING:
    from citescape.graph.store import GraphStore

MIGRATIONS: dict[int, Callable[[GraphStore], None]] = {}
"""Schema version -> what brings a store from it to the next one. Version 1 is the first."""


@click.command()
@store_option
@output_options
def migrate(store: str, as_json: bool) -> None:
    """Bring a store to the schema version of this release.

    Schema 1 is the first, so there is nothing to migrate from yet: a store of schema 1 is left as
    it is, any other is refused.
    """
    from citescape.graph.schema import SCHEMA_VERSION
    from citescape.graph.store import open_store

    try:
        open_store(store, read_only=True).close()
    except SchemaVersionError as error:
        found = str(error).partition(", this citescape")[0]
        known = ", ".join(map(str, sorted(MIGRATIONS))) or "none, since schema 1 is the first"
        raise SchemaVersionError(
            f"{found}; expected {SCHEMA_VERSION}, or one to migrate from ({known}): ingest its "
            "papers into a new store, or open it with the citescape that wrote it"
        ) from error
    if as_json:
        echo_json({"store": store, "schema_version": SCHEMA_VERSION, "migrated": False})
    else:
        click.echo(f"{store} has schema version {SCHEMA_VERSION}, the newest: nothing to do")
