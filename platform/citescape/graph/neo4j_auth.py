"""Where a Neo4j server is and who asks: addresses without secrets, secrets without addresses."""

from __future__ import annotations

import netrc
import os
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from citescape.errors import ConfigError, invalid_choice

SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
USER_VARIABLE = "CITESCAPE_NEO4J_USER"
PASSWORD_VARIABLE = "CITESCAPE_NEO4J_PASSWORD"
_BOLT_PORT = 7687


@dataclass(frozen=True)
class Address:
    """A Neo4j address. Holds no credentials: safe to print."""

    text: str
    """As given."""
    uri: str
    """For the driver: without the database."""
    host: str
    port: int
    database: str | None
    """None is the server's default database."""


@dataclass(frozen=True)
class Credentials:
    """A user and a password, which never shows."""

    user: str
    password: str = field(repr=False)


def parse_address(location: str) -> Address:
    """Reads ``bolt://host[:port][/database]`` and its kin.

    Raises:
        ConfigError: not such an address, or it holds a password: shell histories and run
            records would keep it.
    """
    try:
        parts = urlsplit(location)
        port = parts.port or _BOLT_PORT
    except ValueError:
        raise ConfigError("the store's address has no valid host and port") from None
    if "@" in parts.netloc:
        raise ConfigError(
            f"leave user and password out of the store's address; set {USER_VARIABLE} and "
            f"{PASSWORD_VARIABLE}, or add a line for the host to ~/.netrc"
        )
    if parts.scheme not in SCHEMES:
        raise invalid_choice("the scheme of the store's address", parts.scheme, SCHEMES)
    database = parts.path.strip("/")
    if not parts.hostname or "/" in database:
        raise ConfigError(f"{location} is no Neo4j address; expected bolt://HOST[:PORT][/DATABASE]")
    routing = f"?{parts.query}" if parts.query else ""
    uri = f"{parts.scheme}://{parts.netloc}{routing}"
    return Address(location, uri, parts.hostname, port, database or None)


def find_credentials(host: str) -> Credentials | None:
    """From the environment, else from ``~/.netrc`` (or ``$NETRC``), else None: no authentication.

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
        return Credentials(entry[0] or "neo4j", entry[2]) if entry and entry[2] else None
    # Not raised above: the cause's frames hold the password.
    raise ConfigError(
        f"{path} cannot be read as a netrc file ({problem}); check its syntax, and that you and "
        "only you may read it (chmod 600)"
    )
