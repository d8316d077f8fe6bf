"""Addresses of Neo4j servers, without secrets; user names and passwords, without addresses."""

from __future__ import annotations

import netrc
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from unicodedata import normalize
from urllib.parse import unquote

from citescape.core.config import is_address
from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.redaction import HIDDEN, redact_address, remember_secret

SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
USER_VARIABLE = "CITESCAPE_NEO4J_USER"
PASSWORD_VARIABLE = "CITESCAPE_NEO4J_PASSWORD"
_BOLT_PORT = 7687
_FORM = (
    "expected bolt://HOST[:PORT][/DATABASE], or the path of a file (./NAME for names with a colon)"
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")
_ADDRESS = re.compile(
    rf"(?P<scheme>{_SCHEME.pattern})://(?P<host>[\w.-]+|\[[0-9A-Fa-f:.]+(?:%\w+)?\])"
    r"(?::(?P<port>[0-9]{1,5}))?(?:/(?P<database>[\w.-]+)?/?)?"
    r"(?P<routing>\?(?:policy|region)=[\w.,-]*(?:&(?:policy|region)=[\w.,-]*)*)?"
)
"""No part of it can hold a password: of a query string, only routing policies are allowed."""


@dataclass(frozen=True)
class Address:
    """A Neo4j address. Holds no credentials: safe to print."""

    text: str
    """The address as given."""
    uri: str
    """Address for the driver, without the database."""
    host: str
    port: int
    database: str | None
    """None is the server's default database."""


@dataclass(frozen=True)
class Credentials:
    """A user and a password, which is never printed."""

    user: str
    password: str = field(repr=False)


def parse_address(location: str) -> Address:
    """Parses ``bolt://host[:port][/database][?policy=P]`` and similar addresses.

    Raises:
        ConfigError: an invalid address, or one with a password, which shell histories and run
            records would store.
    """
    match = _ADDRESS.fullmatch(location)
    number = int((match and match["port"]) or _BOLT_PORT)
    if not match or match["scheme"].lower() not in SCHEMES or not 0 < number < 1 << 16:
        location, problem = HIDDEN, _explain(location)
        raise problem
    host, port = match["host"], match["port"]
    uri = f"{match['scheme'].lower()}://{host}{f':{port}' if port else ''}{match['routing'] or ''}"
    return Address(location, uri, host.strip("[]").lower(), number, match["database"] or None)


def check_location(location: str) -> tuple[str, ConfigError | None]:
    """The location of a store; if it is invalid, `***` and the error to raise.

    The error is returned, not raised, so that the caller forgets the location first: tracebacks of
    notebooks show the variables of each function, and the location may hold a password.
    """
    if is_address(location):
        try:
            parse_address(location)
        except ConfigError as error:
            return HIDDEN, error.with_traceback(None)
    return location, None


def _explain(location: str) -> ConfigError:
    """The error for an invalid address, without its password."""
    scheme, _, rest = location.partition("://")
    if "@" in normalize("NFKC", unquote(location)):
        return ConfigError(
            f"leave user and password out of the store's address: {_FORM}; set {USER_VARIABLE} and "
            f"{PASSWORD_VARIABLE}, or add a line for the host to ~/.netrc"
        )
    if _SCHEME.fullmatch(scheme) and rest and scheme.lower() not in SCHEMES:
        return invalid_choice("the scheme of the store's address", scheme, SCHEMES)
    return ConfigError(f"{redact_address(location)!r} is not a Neo4j address; {_FORM}")


def find_credentials(host: str) -> Credentials | None:
    """Credentials from the environment or ``~/.netrc`` (``$NETRC``); None for no authentication.

    Raises:
        ConfigError: a user without a password, or a netrc file that cannot be read.
    """
    user, given = os.environ.get(USER_VARIABLE), os.environ.get(PASSWORD_VARIABLE)
    if given:
        return Credentials(user or "neo4j", given)
    found = _from_netrc(host)
    if user and (found is None or found.user != user):
        raise ConfigError(f"{USER_VARIABLE} is set but {PASSWORD_VARIABLE} is not; set both")
    return found


def _from_netrc(host: str) -> Credentials | None:
    chosen = os.environ.get("NETRC")
    path = Path(chosen).expanduser() if chosen else Path.home() / ".netrc"
    if not path.is_file():
        return None
    try:
        entry = netrc.netrc(chosen and str(path)).authenticators(host)
    except netrc.NetrcParseError as error:
        problem = f"line {error.lineno or 'unknown'}"  # its message may quote the password
    except (OSError, UnicodeDecodeError) as error:
        problem = type(error).__name__
    else:
        if not entry or not entry[2]:
            return None
        remember_secret(entry[2])
        return Credentials(entry[0] or "neo4j", entry[2])
    # Not raised above: the frames of the cause hold the password.
    raise ConfigError(
        f"{path} cannot be read as a netrc file ({problem}); check its syntax, and that you and "
        "only you may read it (chmod 600)"
    )
