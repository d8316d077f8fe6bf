"""Errors and warnings of Neo4j and its driver, as one line with advice."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import neo4j
from neo4j.exceptions import (
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    UnsupportedServerProduct,
)

from citescape.core.errors import StoreError, TransientStoreError
from citescape.store.neo4j.address import PASSWORD_VARIABLE, USER_VARIABLE, Address
from citescape.store.schema import TABLE

OUT_OF_MEMORY = (
    "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
    "Neo.TransientError.General.OutOfMemoryError",
    "Neo.TransientError.General.TransactionMemoryLimit",
    "Neo.TransientError.Transaction.MaximumTransactionLimitReached",
)
"""Neo4j calls these transient, but the same work will meet the same limit again."""

_ADVICE = {
    "Neo.ClientError.Security.Unauthorized": (
        f"user or password is wrong or missing; set {USER_VARIABLE} and {PASSWORD_VARIABLE}, "
        "or add a line for the host to ~/.netrc"
    ),
    "Neo.ClientError.Security.AuthenticationRateLimit": (
        "too many wrong passwords in a row; correct "
        f"{USER_VARIABLE} and {PASSWORD_VARIABLE}, wait five seconds, try again"
    ),
    "Neo.ClientError.Security.CredentialsExpired": (
        "the password must be changed before first use; do so in the Neo4j browser or with "
        f"cypher-shell, then set {PASSWORD_VARIABLE}"
    ),
    "Neo.ClientError.Database.DatabaseNotFound": (
        "there is no such database; name an existing one as in bolt://HOST:PORT/DATABASE "
        "(SHOW DATABASES lists them)"
    ),
    "Neo.ClientError.Statement.AccessMode": "the store is read-only, but the statement would write",
    "Neo.ClientError.Cluster.NotALeader": (
        "this member of the cluster takes no writes; use neo4j:// instead of bolt://"
    ),
    "Neo.ClientError.Schema.ConstraintValidationFailed": (
        "a node with the same id exists already: another process may be writing to the store; "
        "run the command again when it is done"
    ),
}
_NAME = re.compile(r"`([^`]+)`")
_PREAMBLE = re.compile(r"^warn: [^.]*\. ")
_SPELLING = " Verify that the spelling is correct."
_DATABASE = re.compile(r" in database `[^`]+`")
"""Part of the message since Neo4j 2026."""
_KNOWN = frozenset(TABLE).union({"id"}, *(table.columns for table in TABLE.values()))
_WEB_PORTS = (7473, 7474)
_MEMORY_ADVICE = (
    "the server has too little memory for one transaction; raise its heap "
    "(server.memory.heap.max_size) or load fewer papers per batch"
)


@contextmanager
def explained(address: Address) -> Iterator[None]:
    """Converts errors of the driver to `StoreError`.

    The cause keeps only messages, without frames: variables of the driver hold the password.
    """
    try:
        yield
    except (Neo4jError, DriverError) as error:
        cause: BaseException | None = error
        while cause is not None:
            cause.__traceback__ = None
            cause = cause.__cause__ or cause.__context__
        raise explain(error, address) from error


def explain(error: Neo4jError | DriverError, address: Address) -> StoreError:
    """The `StoreError` for an error of the driver."""
    kind = TransientStoreError if error.is_retryable() else StoreError
    if isinstance(error, Neo4jError):
        if error.code in OUT_OF_MEMORY:
            return StoreError(f"{address.text}: {_MEMORY_ADVICE}")
        advice = _ADVICE.get(error.code or "")
        return kind(f"{address.text}: {advice or one_line(error.message or str(error))}")
    if isinstance(error, IncompleteCommit):
        return TransientStoreError(
            f"{address.text}: the connection broke during a commit; the last step may or "
            "may not be written; run the command again to complete what is missing"
        )
    if isinstance(error, (ServiceUnavailable, SessionExpired)):
        return TransientStoreError(_unreachable(error, address))
    if isinstance(error, UnsupportedServerProduct):
        return StoreError(
            f"{address.text} is not a server that citescape supports; expected Neo4j 5.26 or later "
            "(`docker compose up -d` starts one)"
        )
    return kind(f"{address.text}: {one_line(str(error))}")


def one_line(text: str) -> str:
    """A message without line breaks and without the picture of the statement below it."""
    lines = [line.strip() for line in text.strip().splitlines()]
    kept = [line for line in lines if line and not line.startswith(('"', "^"))]
    return " ".join(kept) if kept else "unknown error"


def _unreachable(error: BaseException, address: Address) -> str:
    where = f"cannot reach Neo4j at {address.host} port {address.port} ({_reason(error)})"
    if address.port in _WEB_PORTS or "looks like HTTP" in str(error):
        return f"{where}; that is its web port; Bolt listens on 7687 by default"
    secured = "+s" in address.uri.partition("://")[0]
    hint = ", that it offers TLS (if not, leave out +s)" if secured else ""
    return (
        f"{where}; check that it runs (`docker compose up -d` starts one), that host and port "
        f"are right{hint}, then try again"
    )


def _reason(error: BaseException) -> str:
    """The innermost cause, such as "Connection refused"."""
    if "Bolt handshake" in str(error):
        return "another program than Neo4j listens there"
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, OSError) and seen.strerror:
            return seen.strerror
        seen = seen.__cause__ or seen.__context__
    return one_line(str(error)).rpartition(": ")[2]


class UnknownNameWarning(UserWarning):
    """A statement has a name that is not in the graph, perhaps a typing error."""


def warn_of_unknown_names(summary: neo4j.ResultSummary) -> None:
    """Issues a Python warning for each such name: ``The label `Papr` does not exist``.

    Neo4j runs such a statement, and the result is empty
    (https://neo4j.com/docs/status-codes/current/notifications/). Names of the schema are valid,
    even without any such node.
    """
    for status in summary.gql_status_objects:
        if status.classification == neo4j.NotificationClassification.UNRECOGNIZED:
            text = _PREAMBLE.sub("", status.status_description).removesuffix(_SPELLING)
            text = _DATABASE.sub("", text)
            if not _KNOWN.issuperset(_NAME.findall(text)):
                warnings.warn(text.removesuffix("."), UnknownNameWarning, stacklevel=4)
