import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.accounts.store import Accounts, User
from service.config import Config
from service.errors import Code, MockupError

SETTINGS = {"device": "pixel-9-pro", "shadow": {"opacity": 0.25, "blur": None}, "ü": ["é", 1, True]}


def test_a_project_comes_back_as_it_was_saved(accounts: Accounts, user: User) -> None:
    saved = accounts.projects.save(user.id, "Launch é 👩‍👩‍👧", SETTINGS)
    assert accounts.projects.get(str(saved.id)) == accounts.projects.get(saved.id) == saved
    assert (saved.user_id, saved.name, saved.settings) == (user.id, "Launch é 👩‍👩‍👧", SETTINGS)
    assert saved.created_at == saved.updated_at


def test_the_parts_of_a_project_come_back(accounts: Accounts, user: User) -> None:
    parts = {"devices": [{"depth": 3}], "set": {"locales": ["ar"]}, "film": {"motion": {"fps": 24}}}
    saved = accounts.projects.save(user.id, "whole", SETTINGS, parts)
    assert saved.parts == parts
    assert accounts.projects.list(user.id) == [accounts.projects.get(saved.id)] == [saved]


def test_each_user_lists_their_own(accounts: Accounts, user: User) -> None:
    other = accounts.users.add("bob@example.com")
    first, second = (accounts.projects.save(user.id, name, {}) for name in "ab")
    third = accounts.projects.save(other.id, "c", {})
    assert accounts.projects.list(user.id) == [first, second]
    assert accounts.projects.list(other.id) == [third]


def test_updates_replace_the_given_members(accounts: Accounts, user: User) -> None:
    old = accounts.projects.save(user.id, "old", {"device": "a"}, {"film": {}})
    renamed = accounts.projects.rename(old.id, "new")
    assert renamed is not None
    assert (renamed.name, renamed.settings, renamed.parts) == ("new", {"device": "a"}, {"film": {}})
    new = accounts.projects.replace(old.id, "newer", {"orientation": "auto"})
    assert new is not None
    assert (new.name, new.settings, new.parts) == ("newer", {"orientation": "auto"}, {})
    assert new.created_at == old.created_at
    assert new.updated_at > old.updated_at
    assert accounts.projects.get(old.id) == new


def test_a_deleted_project_cannot_be_read(accounts: Accounts, user: User) -> None:
    kept, gone = (accounts.projects.save(user.id, name, {}) for name in "ab")
    assert accounts.projects.delete(gone.id)
    assert not accounts.projects.delete(gone.id)
    assert accounts.projects.get(gone.id) is None
    assert accounts.projects.rename(gone.id, "x") is None
    assert accounts.projects.replace(gone.id, "x", {}) is None
    assert accounts.projects.list(user.id) == [kept]


def test_an_unknown_or_malformed_id(accounts: Accounts) -> None:
    assert accounts.projects.get(uuid.uuid4()) is None
    with pytest.raises(ValueError, match="UUID"):
        accounts.projects.get("1' OR '1'='1")


def test_every_fault_is_named_at_once(accounts: Accounts, user: User, config: Config) -> None:
    settings = {"device": "x" * config.max_project_bytes}
    with pytest.raises(MockupError) as caught:
        accounts.projects.save(user.id, " ", settings)
    assert caught.value.code is Code.INVALID_REQUEST
    assert [detail.path for detail in caught.value.details] == ["name", "settings"]
    kept = accounts.projects.save(user.id, "kept", {})
    with pytest.raises(MockupError, match=r"^settings: expected at most"):
        accounts.projects.replace(kept.id, "kept", settings)
    with pytest.raises(MockupError, match=r"^set: expected at most"):
        accounts.projects.replace(kept.id, "kept", {}, {"film": {}, "set": settings})
    with pytest.raises(MockupError, match=r"^name: expected 1 to"):
        accounts.projects.rename(kept.id, "")
    assert accounts.projects.get(kept.id) == kept


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "\x00", "\ud800", "x" * 201])
def test_names_are_short_and_printable(accounts: Accounts, user: User, name: str) -> None:
    with pytest.raises(MockupError) as caught:
        accounts.projects.save(user.id, name, {})
    assert [detail.path for detail in caught.value.details] == ["name"]
    assert accounts.projects.list(user.id) == []


def test_the_largest_settings_are_accepted(accounts: Accounts, user: User, config: Config) -> None:
    overhead = len('{"device":""}')
    accounts.projects.save(user.id, "x" * 200, {"device": "x" * (config.max_project_bytes - overhead)})


def test_concurrent_saves_respect_the_project_limit(accounts: Accounts, user: User) -> None:
    def save(number: int) -> bool:
        try:
            return bool(accounts.projects.save(user.id, f"{number}", {}))
        except MockupError as error:
            assert error.code is Code.INVALID_REQUEST  # noqa: PT017
            return False

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(save, range(16))) == 3
    assert len(accounts.projects.list(user.id)) == 3
