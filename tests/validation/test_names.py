"""Names in various spellings, and the tables of other names for members."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from pydantic import BaseModel

from service.api.schema import MockupRequest, ProjectBody
from service.devices import device_names
from service.devices.device import Entry, catalogue
from service.devices.device_names import DEVICES, by_name, finishes
from service.settings.schema import PRESETS, Settings
from service.validation import messages, names
from tests.support.looped import looped

KNOWN = names.index(["iphone-16-pro", "pixel-9-pro", "macbook-pro-14", "og"])


def models(root: type[BaseModel]) -> list[type[BaseModel]]:
    groups = [messages.group_of(field) for field in messages.members(root).values()]
    return [root, *(model for group in groups if group for model in models(group))]


@pytest.mark.parametrize(
    "text", ["iphone-16-pro", "iPhone 16 Pro", "IPHONE_16_PRO", "iphone16pro", " iPhone\u00a016\u2011Pro\n"]
)
def test_case_spaces_hyphens_and_underscores_do_not_matter(text: str) -> None:
    assert names.match(text, KNOWN) == "iphone-16-pro"


@pytest.mark.parametrize("text", ["", "-", "iphone-16", "iphone.16.pro", "iphone-16-pro" + " " * 60])
def test_all_other_differences_matter(text: str) -> None:
    assert names.match(text, KNOWN) is None


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("iphon-16-pro", "iphone-16-pro"),
        ("iPhone 61 Pro", None),
        ("iPhone 17 Pro", "iphone-16-pro"),
        ("iPhone 18 Pro", "iphone-16-pro"),
        ("iPhone 19 Pro", None),
        ("iPhone 99 Pro", None),
        ("pix", "pixel-9-pro"),
        ("pi", None),
        ("iphone-1", None),
        ("macbook pro 15", "macbook-pro-14"),
        ("pixel", "pixel-9-pro"),
        ("MacBook", "macbook-pro-14"),
        ("moto-edge", None),
        ("p", None),
        ("", None),
        ("x" * 10_000_000, None),
    ],
)
def test_typos_and_prefixes_are_near(text: str, near: str | None) -> None:
    assert names.nearest(text, KNOWN) == near


def test_names_are_unique_after_normalization() -> None:
    assert len(names.index(PRESETS)) == len(PRESETS)
    assert len({names.plain(id_) for id_ in catalogue()}) == len(catalogue())
    assert set(finishes().values()) == {f.name for d in catalogue().values() for f in d.finishes}
    for model in models(Settings):
        for field in messages.members(model).values():
            choices = messages.choices(field)
            assert len(names.index(choices)) == len(choices)


def test_every_device_is_known_by_id_and_full_name() -> None:
    known = by_name()
    for device in catalogue().values():
        assert names.match(device.id, known, DEVICES.form) == device.id
        assert names.match(device.name, known, DEVICES.form) == device.id


def entry(id_: str, name: str, brand: str, year: int, *aliases: str) -> Entry:
    return Entry(
        id=id_,
        name=name,
        brand=brand,
        category="phone",
        year=year,
        aliases=aliases,
        orientations=("portrait",),
        screens=({"px": (1, 2)},),
        finishes=(),
    )


SHELF = {
    one.id: one
    for one in (
        entry("iphone-se-3", "iPhone SE (3rd generation)", "Apple", 2022),
        entry("iphone-17e", "iPhone 16e / 17e", "Apple", 2026),
        entry("ipad-11th-gen", "iPad (11th generation, A16)", "Apple", 2025),
        entry("ipad-pro-11-m4", "iPad Pro 11-inch (M4/M5)", "Apple", 2024),
        entry("ipad-pro-13-m4", "iPad Pro 13-inch (M4/M5)", "Apple", 2024),
        entry("ipad-pro-13-m5", "iPad Pro 13-inch (M5)", "Apple", 2025),
        entry("macbook-pro-14", "MacBook Pro 14-inch (M1-M5)", "Apple", 2024),
        entry("macbook-pro-16", "MacBook Pro 16-inch (M1-M5)", "Apple", 2024),
        entry("imac-24", "iMac 24-inch (M1-M4)", "Apple", 2024, "iMac M4"),
        entry("watch-42", "Apple Watch Series 10/11 (42 mm)", "Apple", 2024),
        entry("watch-46", "Apple Watch Series 10/11 (46 mm)", "Apple", 2024),
        entry("watch-ultra-3", "Apple Watch Ultra 3 / Ultra 4", "Apple", 2025),
        entry("galaxy-s24-ultra", "Galaxy S24 Ultra", "Samsung", 2024),
        entry("galaxy-z-fold-7", "Galaxy Z Fold7 (open)", "Samsung", 2025),
        entry("x1-carbon", "ThinkPad X1 Carbon (Gen 12/13)", "Lenovo", 2024),
        entry("nothing-phone-3", "Nothing Phone (3)", "Nothing", 2025),
        entry("surface-laptop", "Surface Laptop 7 (13.8-inch), generic Windows laptop", "Microsoft", 2024),
    )
}


@looped(
    "text, id_",
    [
        ("MacBook Pro 14 M3", "macbook-pro-14"),
        ("macbook pro 14-inch m3", "macbook-pro-14"),
        ('MacBook Pro 16"', "macbook-pro-16"),
        ("Apple MacBook Pro 16 inch 2024", "macbook-pro-16"),
        ("S24 Ultra", "galaxy-s24-ultra"),
        ("Samsung Galaxy S24 Ultra", "galaxy-s24-ultra"),
        ("z fold 7", "galaxy-z-fold-7"),
        ("iPad Pro 11", "ipad-pro-11-m4"),
        ("iPad Pro 13", "ipad-pro-13-m5"),
        ("iPad Pro 13 M4", "ipad-pro-13-m4"),
        ("iPad", "ipad-11th-gen"),
        ("iPad (11th gen)", "ipad-11th-gen"),
        ("iPhone SE", "iphone-se-3"),
        ("iPhone SE 3", "iphone-se-3"),
        ("iPhone SE 2022", "iphone-se-3"),
        ("iPhone SE 3rd Gen.", "iphone-se-3"),
        ("iPhone 16e", "iphone-17e"),
        ("iphone17e", "iphone-17e"),
        ("iMac", "imac-24"),
        ("iMac M4", "imac-24"),
        ("Apple Watch Series 11 (46mm)", "watch-46"),
        ("Watch Ultra 4", "watch-ultra-3"),
        ("ThinkPad X1 Carbon Gen 13", "x1-carbon"),
        ("Nothing Phone (3)", "nothing-phone-3"),
        ("Surface Laptop 7", "surface-laptop"),
        # These names fit several sizes of a device.
        ("MacBook Pro", None),
        ("Apple Watch Series 10", None),
        ("Galaxy", None),
        ("iPad Pro 12", None),
    ],
)
def test_devices_are_known_by_common_names(
    monkeypatch: pytest.MonkeyPatch, text: str, id_: str | None
) -> None:
    monkeypatch.setattr(device_names, "catalogue", lambda: SimpleNamespace(entries=SHELF))
    known = by_name.__wrapped__()
    assert names.match(text, known, device_names.form) == id_
    for one in SHELF.values():
        assert names.match(one.id, known, device_names.form) == one.id
        assert names.match(one.name, known, device_names.form) == one.id


@pytest.mark.parametrize("root", [Settings, MockupRequest, ProjectBody])
def test_the_tables_lead_to_existing_members(root: type[BaseModel]) -> None:
    known = set(messages.paths(root))
    for model in models(root):
        for name, meant in getattr(model, "other_names", {}).items():
            assert names.plain(name) == name
            assert name not in names.index(messages.members(model))
            assert isinstance(meant, str) or set(meant) <= known, f"{model.__name__}: {name}"


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("iphone-61", None),
        ("iphone-99", None),
        ("galaxy-s22", "galaxy-s23"),
        ("galaxy-s23-ultra", "galaxy-s24-ultra"),
        ("pixel-7", "pixel-8"),
        ("iphon-16", "iphone-16"),
        ("pixle-9-pro", "pixel-9-pro"),
        ("ipad-pro-13", "ipad-pro-13-m5"),
    ],
)
def test_digits_are_not_letters(text: str, near: str | None) -> None:
    known = by_name()
    found = known.get(device_names.form(text)) or names.nearest(text, known, device_names.form)
    assert found == near
