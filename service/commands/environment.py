"""The configuration from the environment, and the accounts it configures, for all commands."""

from __future__ import annotations

import json
import os
import pwd
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo
    from pydantic_core import ErrorDetails

    from ..accounts.administration import Administration
    from ..accounts.store import Accounts
    from ..config import Config

PREFIX = "MOCKUP_"


class ConfigurationError(Exception):
    """The configuration is invalid; `faults` has a line for every mistake."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def load_config(**overrides: Any) -> Config:
    """Load the configuration; options override variables. Raises ConfigurationError with all mistakes."""
    from pydantic import ValidationError

    from .. import config_file
    from ..config import Config

    faults = [
        f"{variable(name)} and {variable(name)}_FILE are both set"
        for name in Config.model_fields
        if os.environ.get(variable(name)) and os.environ.get(variable(name) + "_FILE")
    ]
    config = None
    try:
        faults += _strangers(config_file.values())
        config = Config(**{name: value for name, value in overrides.items() if value is not None})
    except config_file.ConfigFileError as error:
        faults.append(str(error))
    except ValidationError as error:
        faults += [_fault(item) for item in error.errors(include_url=False)]
    if config is None or faults:
        raise ConfigurationError(faults)
    return config


def verify(config: Config, *, sandbox: bool) -> None:
    """Raise a 400 if the codecs are missing or, if it is needed at once, the `sandbox`."""
    from ..codec import support
    from ..codec.sandbox import support as features
    from ..errors import invalid
    from ..shipped import kernels

    try:
        # Loading them would load NumPy, which only renderers need.
        kernels()
        support.verify()
        if sandbox:
            features.verify(allowed=config.allow_unsandboxed)
    except (ImportError, RuntimeError) as error:
        raise invalid(str(error)) from error


def unknown_variables() -> list[str]:
    """A line for every unknown `MOCKUP_*` variable, with the closest known one."""
    from .. import config_file
    from ..config import Config
    from ..validation.names import nearest, plain

    known = [variable(name) for name in Config.model_fields]
    known += [*(name + "_FILE" for name in known), config_file.VARIABLE]
    bare = {plain(name.removeprefix(PREFIX)): name for name in known}
    lines = []
    for name in sorted(os.environ):
        if name.startswith(PREFIX) and name not in known:
            close = nearest(name.removeprefix(PREFIX), bare)
            lines.append(_unknown(f"{name} is not a variable of this service", close))
    return lines


def _strangers(given: Mapping[str, Any]) -> list[str]:
    """A line for each name in the file that is not a setting, with the closest known one."""
    from .. import config_file
    from ..config import Config
    from ..validation.names import nearest, plain

    bare = {plain(name): name for name in Config.model_fields}
    lines = []
    for name in given.keys() - Config.model_fields.keys():
        close = nearest(name, bare)
        path = os.environ[config_file.VARIABLE]
        lines.append(_unknown(f"{name} in {path} is not a setting", close))
    return sorted(lines)


def _unknown(what: str, close: str | None) -> str:
    return what + (f"; did you mean {close}?" if close else "")


def shown() -> Iterator[str]:
    """The effective configuration as TOML, one setting per line with its origin; secrets are not shown."""
    from pydantic import SecretStr

    from .. import config_file

    config, given = load_config(), config_file.values()
    for name in type(config).model_fields:
        value, named = getattr(config, name), variable(name)
        origin = next((one for one in (named, named + "_FILE") if os.environ.get(one)), None)
        origin = origin or (os.environ[config_file.VARIABLE] if name in given else "default")
        if isinstance(value, SecretStr):
            yield f"# {name} is set: {origin}"
        elif value is None:
            yield f"# {name} is not set"
        else:
            yield f"{name} = {_toml(value)}  # {origin}"


def _toml(value: Any) -> str:
    from ..plans import Plan

    if isinstance(value, bool | int | float):
        return json.dumps(value)
    if isinstance(value, Plan):
        return _toml(value.model_dump(exclude_none=True))
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{name} = {_toml(inner)}' for name, inner in value.items())} }}"
    if isinstance(value, tuple | frozenset):
        listed = sorted(value) if isinstance(value, frozenset) else value
        return f"[{', '.join(map(_toml, listed))}]"
    # A string in JSON is a valid string in TOML.
    return json.dumps(str(value), ensure_ascii=False)


def variable(name: str) -> str:
    """The environment variable of a configuration field."""
    return PREFIX + name.upper()


@contextmanager
def open_accounts() -> Iterator[Accounts]:
    """Open the accounts and upgrade their tables; closes them at the end of the block."""
    from ..accounts.store import Accounts

    with Accounts(load_config()) as accounts:
        accounts.upgrade()
        yield accounts


@contextmanager
def open_administration() -> Iterator[tuple[Accounts, Administration]]:
    """As `open_accounts`, with the administration that acts in the name of the system's user."""
    from ..accounts.administration import Administration
    from ..accounts.audit import Actor

    with open_accounts() as accounts:
        yield accounts, Administration(accounts, Actor(f"command line: {_system_user()}"))


def _system_user() -> str:
    """The name of the process's user, regardless of variables; its number if it has no name."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def _fault(item: ErrorDetails) -> str:
    from pydantic import SecretStr

    from .. import config_file
    from ..config import Config
    from ..secret_files import Unreadable

    field = str(item["loc"][0]) if item["loc"] else ""
    name, value = variable(field), item["input"]
    if not {name, name + "_FILE"} & os.environ.keys() and field in config_file.values():
        name = f"{field} in {os.environ[config_file.VARIABLE]}"
    if name not in os.environ and name + "_FILE" in os.environ:
        name += "_FILE"
    if isinstance(value, Unreadable):
        return f"{name}: {value.message}"
    if field == "plans" and len(item["loc"]) > 1:
        return f"{name}: {_fault_of_plan(item)}"
    if SecretStr.__name__ in str(Config.model_fields[field].annotation):
        return f"{name}: {_said(item)}"
    return f"{name}: {_wrong(item, Config.model_fields[field])}"


def _said(item: ErrorDetails) -> str:
    return item["msg"].removeprefix("Value error, ")


def _wrong(item: ErrorDetails, field: FieldInfo) -> str:
    """The values that a variable takes, and the value that it has instead."""
    from ..validation import messages

    # A validator splits the texts of lists, and its errors are about their items.
    plain = messages.choices(field) or set(messages.alternatives(field.annotation)) <= {int, float, bool}
    takes = f"expected {messages.expected(field)}" if plain else _said(item)
    return f"{takes}, got {messages.shown(item['input'])}"


def _fault_of_plan(item: ErrorDetails) -> str:
    """A fault's place in the plans, such as `team.rate_limit`, and its description."""
    from ..plans import Plan
    from ..validation.names import nearest, plain

    where = ".".join(map(str, item["loc"][1:]))
    if item["type"] == "extra_forbidden":
        close = nearest(str(item["loc"][-1]), {plain(name): name for name in Plan.model_fields})
        return _unknown(f"{where} is not a limit of a plan", close)
    limit = Plan.model_fields.get(str(item["loc"][-1]))
    return f"{where}: {_wrong(item, limit) if limit else _said(item)}"
