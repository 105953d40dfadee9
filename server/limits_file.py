"""Reads, checks and writes the server's settings file in TOML: limits, trusted networks, bans, TLS and proxies.

Settings such as `tables = 500` are at the top level of the file. The limits of one network are in a table of their own,
`[networks."10.2.0.0/16"]`. The function `written` returns a file with every setting.
"""

from __future__ import annotations

import difflib
import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from stat import S_ISREG
from typing import Any

from protocol import limits
from protocol.names import is_name, lookalike_key
from protocol.printable import escape_text
from server.config import DEFAULTS, OF_A_FILE, PER_ADDRESS, Config
from server.language import _
from server.networks import Network, parse_exact_network, parse_network

MOST_BYTES = 2**20
NOT_LESS = (
    ("longest_delay", "least_delay"),
    ("outbox_bytes", "behind_bytes"),
    ("tables_a_cup", "tables_a_cup_least"),
)
"""Pairs of settings. The value of the first must not be less than that of the second."""

_LIMITS = limits.all_limits()
_HEAD = """\
# Settings of a magehall server: magehall serve --config FILE
# Each line shows the value that holds now. A line that is taken out, or begins with #, leaves the default.
"""


class BadSettings(ValueError):
    """The settings file cannot be used. The text has one line per fault: where it is, what is wrong, and what to do."""


@dataclass(frozen=True)
class FileSettings:
    """The settings in a settings file, by name of the Config field."""

    values: Mapping[str, Any] = field(default_factory=dict)

    def apply_to(self, config: Config) -> Config:
        """Returns the configuration with these settings. Every other setting that a file can set gets its default."""
        plain = DEFAULTS
        return replace(config, **{name: getattr(plain, name) for name in OF_A_FILE} | dict(self.values))

    def overridden_by(self, given: Mapping[str, Any]) -> FileSettings:
        """Returns these settings, overridden by `given`, which come from the command line."""
        return FileSettings({**self.values, **given})


def read_settings(path: Path) -> FileSettings:
    """Reads and checks a file. Raises BadSettings."""
    try:
        if not S_ISREG(path.stat().st_mode):  # reading a pipe could wait forever
            raise BadSettings(escape_text(_("{file} is no regular file; give the path of a TOML file.", file=path)))
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except BadSettings:
        raise
    except (OSError, ValueError) as error:  # ValueError means that the path contains a zero byte
        why = getattr(error, "strerror", None) or error
        text = _("{file} cannot be read: {why}. Give the path of a file that this user may read.", file=path, why=why)
        raise BadSettings(escape_text(text)) from None
    if len(data) > MOST_BYTES:
        text = _("{file} has more than {most:,} bytes; no settings file is that long.", file=path, most=MOST_BYTES)
        raise BadSettings(escape_text(text))
    try:
        return parse_settings(tomllib.loads(data.decode("utf-8-sig")), path.absolute().parent)
    except UnicodeDecodeError:
        faults = _("it is not UTF-8; save it as UTF-8")
    except tomllib.TOMLDecodeError as error:
        faults = _("it is not TOML: {error}; a line is as in tables = 500", error=error)
    except RecursionError:
        faults = _("it is not TOML: lists are nested too deep")
    except BadSettings as error:
        faults = str(error)
    except ValueError:  # Python refuses to parse numbers of more than 4,300 digits
        faults = _("a number in it is too long; `magehall serve --print-config` says how large each may be")
    raise BadSettings("\n".join(escape_text(f"{path}: {line}") for line in faults.splitlines()))


def parse_settings(table: Mapping[str, Any], folder: Path = Path()) -> FileSettings:
    """Returns the settings in a parsed TOML table. Relative paths in it start from `folder`.

    Raises BadSettings with one line per fault.
    """
    values: dict[str, Any] = {}
    faults: list[str] = []
    for key, value in table.items():
        try:
            if key in _FILES:
                values[key] = folder / _text(key, value)
            else:
                values[key] = _LISTED[key](value) if key in _LISTED else _limit(key, value)
        except BadSettings as error:
            faults.append(str(error))
    if not faults:
        faults = list(_contradictions(values))
    if faults:
        raise BadSettings("\n".join(faults))
    return FileSettings(values)


def render_settings(config: Config) -> str:
    """Returns the text of a settings file: every setting with its value in that configuration, and what it does."""
    parts = [_HEAD]
    parts.append(
        f"# networks: each address there has {config.trusted_times} times (trusted_times) what any other address has\n"
        f"trusted = {_list(config.trusted)}\n"
    )
    parts.append(f"# addresses, networks and names that are not let in\nbans = {_list(config.bans)}\n")
    parts.append(
        "# proxies whose PROXY header is taken, as with --proxy-from\n"
        f"proxy_from = {_list(map(str, config.proxy_from))}\n"
    )
    parts.append("\n".join(["# with both files the port speaks TLS; read when the server starts", *_files(config), ""]))
    for one in _LIMITS.values():
        if one.kind is not limits.FIXED:
            notes = [_range(one), f"default {_number(one.default)}", *([one.kind.value] if one.kind else [])]
            value = getattr(config, one.name)
            parts.append(f"# {one.reason}\n# {'; '.join(notes)}\n{one.name} = {value!r}\n")
    parts.append("# What an address of one network may have. These may stand there: " + ", ".join(PER_ADDRESS) + ".\n")
    if config.networks:
        parts += [_network(written, own) for written, own in config.networks.items()]
    else:
        parts.append(
            f'# [networks."10.2.0.0/16"]\n# tables_an_address = {config.trusted_times * config.tables_an_address}\n'
        )
    fixed = [f"#   {one.name} = {one.default!r}" for one in _LIMITS.values() if one.kind is limits.FIXED]
    parts.append("\n".join(["# These are the same on every server, and no file sets them:", *fixed]) + "\n")
    return "\n".join(parts)


def _limit(key: str, value: object) -> float:
    """Returns the value of a limit. Raises BadSettings if the value is not allowed."""
    one = _LIMITS.get(key)
    if one is None and isinstance(value, dict):
        raise BadSettings(_("[{key}] is no setting; write settings without such a line above them.", key=_short(key)))
    if one is None:
        raise BadSettings(_unknown(key, OF_A_FILE))
    if one.kind is limits.FIXED:
        text = _(
            "{key} is {value} on every server, and no file sets it; take the line out.", key=key, value=one.default
        )
        raise BadSettings(text)
    takes = (
        _("it takes a whole number from {least} to {most}.")
        if one.type is int
        else _("it takes a number from {least} to {most}.")
    )
    takes = takes.format(least=_number(one.bounds.least), most=_number(one.bounds.most))
    if isinstance(value, str):
        raise BadSettings(
            _("{key} is the text {value}; {takes} Write it without quotes.", key=key, value=_short(value), takes=takes)
        )
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or (one.type is int and not isinstance(value, int))
    ):
        raise BadSettings(_("{key} is {value}; {takes}", key=key, value=_short(value), takes=takes))
    if not (isfinite(value) and one.bounds.least <= value <= one.bounds.most):
        raise BadSettings(_("{key} is {value}; {takes}", key=key, value=_short(value), takes=takes))
    return one.type(value)


def _trusted(value: object) -> tuple[str, ...]:
    return tuple(str(_network_in("trusted", one)) for one in _strings("trusted", value))


def _bans(value: object) -> tuple[str, ...]:
    return tuple(
        lookalike_key(one) if is_name(one) else str(_network_in("bans", one)) for one in _strings("bans", value)
    )


def _networks(value: object) -> dict[str, dict[str, float]]:
    if not isinstance(value, dict):
        raise BadSettings(
            _('networks is {value}; write a table for each, as in [networks."10.2.0.0/16"].', value=_short(value))
        )
    found, faults = dict[str, dict[str, float]](), list[str]()
    for network, own in value.items():
        try:
            found[str(_network_in("networks", network))] = _of_an_address(network, own)
        except BadSettings as error:
            faults.append(str(error))
    if faults:
        raise BadSettings("\n".join(faults))
    return found


def _of_an_address(network: str, own: object) -> dict[str, float]:
    if not isinstance(own, dict):
        raise BadSettings(
            _(
                'networks is {value} for {network}; write a table, as in [networks."10.2.0.0/16"].',
                value=_short(own),
                network=network,
            )
        )
    faults, found = list[str](), dict[str, float]()
    for key, value in own.items():
        try:
            if key in OF_A_FILE and key not in PER_ADDRESS:
                text = _("{key} holds for the whole server; write it above the first [networks...].", key=key)
                raise BadSettings(text)
            if key not in OF_A_FILE:
                raise BadSettings(_unknown(key, PER_ADDRESS))
            found[key] = _limit(key, value)
        except BadSettings as error:
            faults.append(_("in the network {network}: {fault}", network=network, fault=error))
    if faults:
        raise BadSettings("\n".join(faults))
    return found


def _proxies(value: object) -> tuple[Network, ...]:
    return tuple(_network_in("proxy_from", one, parse_exact_network) for one in _strings("proxy_from", value))


_LISTED = {"trusted": _trusted, "bans": _bans, "networks": _networks, "proxy_from": _proxies}
_FILES = ("tls_cert", "tls_key")


def _text(key: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        text = _('{key} is {value}; write the path of a file, as in {key} = "cert.pem".', key=key, value=_short(value))
        raise BadSettings(text)
    return value


def _strings(key: str, value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        text = _(
            '{key} is {value}; write a list of texts, as in {key} = ["10.2.0.0/16"].', key=key, value=_short(value)
        )
        raise BadSettings(text)
    return value


def _network_in(key: str, written: str, read: Callable[[str], Network] = parse_network) -> Network:
    try:
        return read(written)
    except ValueError as error:
        raise BadSettings(_("{key} has {written}; {error}.", key=key, written=_short(written), error=error)) from None


def _contradictions(values: Mapping[str, Any]) -> Iterable[str]:
    for more, less in NOT_LESS:
        one, other = (values.get(name, _LIMITS[name].default) for name in (more, less))
        if one < other:
            yield _(
                "{more} is {one}, less than {less}, which is {other}; raise the first, or lower the second.",
                more=more,
                one=_number(one),
                less=less,
                other=_number(other),
            )


def _unknown(key: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(key.lower(), known, n=1, cutoff=0.6)
    if near:
        return _("{key} is no setting; did you mean {near}?", key=_short(key), near=near[0])
    return _("{key} is no setting; `magehall serve --print-config` lists all.", key=_short(key))


def _range(one: limits.Limit) -> str:
    kind = f"{one.unit}, " if one.unit else ""
    return f"{kind}{_number(one.bounds.least)} to {_number(one.bounds.most)}"


def _number(value: float) -> str:
    return f"{value:,}"


def _short(value: object) -> str:
    text = value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else repr(value)
    return f"{text[:40]}..." if len(text) > 40 else text


def _list(texts: Iterable[str]) -> str:
    return "[" + ", ".join(f'"{one}"' for one in texts) + "]"


def _files(config: Config) -> Iterable[str]:
    for key in _FILES:
        file = getattr(config, key)
        yield f'# {key} = ""' if file is None else f"{key} = {json.dumps(str(file), ensure_ascii=False)}"


def _network(written: str, own: Mapping[str, Any]) -> str:
    return "\n".join([f'[networks."{written}"]', *(f"{name} = {value!r}" for name, value in own.items())]) + "\n"
