"""`platform migrate`."""

from __future__ import annotations

import click

from citescape.cli.options import output_options, store_option
from citescape.cli.output import echo_json
from citescape.core.errors import SchemaVersionError
from citescape.core.terminal import echo


@click.command()
@store_option
@output_options
def migrate(store: str, as_json: bool) -> None:
    """Bring a store to the schema version of this release.

    Nothing that a store holds is changed: tables that are new are added, empty. It is done at once
    or not at all.
    """
    from citescape.store.graph_store import open_store
    from citescape.store.schema import SCHEMA_VERSION
    from citescape.store.state import UPGRADABLE

    try:
        open_store(store, read_only=True).close()
        migrated = False
    except SchemaVersionError:
        try:
            open_store(store, create=False, upgrade=True).close()
        except SchemaVersionError as error:
            found = str(error).partition(", this citescape")[0]
            raise SchemaVersionError(
                f"{found}; expected {SCHEMA_VERSION}, to which {', '.join(UPGRADABLE)} can be "
                "brought and no other: ingest its papers into a new store, or open it with the "
                "citescape that wrote it"
            ) from error
        migrated = True
    if as_json:
        echo_json({"store": store, "schema_version": SCHEMA_VERSION, "migrated": migrated})
    elif migrated:
        echo(f"{store} is brought to schema version {SCHEMA_VERSION}")
    else:
        echo(f"{store} has schema version {SCHEMA_VERSION}, the newest: nothing to do")
