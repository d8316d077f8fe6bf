"""`platform migrate`."""

from __future__ import annotations

import click

from citescape.cli.options import output_options, store_option
from citescape.cli.output import echo_json
from citescape.errors import SchemaVersionError


@click.command()
@store_option
@output_options
def migrate(store: str, as_json: bool) -> None:
    """Bring a store to the schema version of this release.

    There is no released schema to migrate from yet: a store of this schema is left as it is, for
    any other it says what to do.
    """
    from citescape.graph.schema import SCHEMA_VERSION
    from citescape.graph.store import open_store

    try:
        open_store(store, read_only=True).close()
    except SchemaVersionError as error:
        found = str(error).partition(", this citescape")[0]
        raise SchemaVersionError(
            f"{found}; expected {SCHEMA_VERSION}, which no other can be migrated to: ingest its "
            "papers into a new store, or open it with the citescape that wrote it"
        ) from error
    if as_json:
        echo_json({"store": store, "schema_version": SCHEMA_VERSION, "migrated": False})
    else:
        click.echo(f"{store} has schema version {SCHEMA_VERSION}, the newest: nothing to do")
