"""Captions in requests: validation, the choice among texts of several languages, and position."""

from __future__ import annotations

from typing import Any

import pytest

from service.commands.settings_file import assigned
from service.settings.captions import Caption, chosen, spec
from service.settings.merge import MergedSettings
from service.settings.metadata import packet, settings_in


def faults(*captions: Any) -> dict[str, str]:
    merged = MergedSettings({"captions": list(captions)})
    return {fault.path: fault.message for fault in merged.faults}


@pytest.mark.parametrize(
    ("caption", "path", "message"),
    [
        ({}, "text", "missing"),
        ({"text": ""}, "text", "1 to 500 characters, got 0"),
        ({"text": "x" * 501}, "text", "1 to 500 characters, got 501"),
        ({"text": "a\x07"}, "text", "no control characters, got U+0007 as character 2"),
        ({"text": "\ud800"}, "text", "no control characters, got U+D800"),
        ({"text": "a" + "\u0301" * 499}, "text", "at most 8 combining marks"),
        ({"text": 5}, "text", "or an object of them by language, got 5"),
        ({"text": {}}, "text", "1 to 40 languages, got 0"),
        ({"text": {"de!": "x"}}, "text", "languages such as de or pt-BR"),
        ({"text": {"de": ""}}, "text", "for de, got 0"),
        ({"text": "x", "color": "red"}, "color", "did you mean #FF0000?"),
        ({"text": "x", "anchor": "topleft!"}, "anchor", "one of top-left"),
        ({"text": "x", "font": {"sice": 1}}, "font.sice", "did you mean size?"),
        ({"text": "x", "font": {"size": 3}}, "font.size", "a number from 0.005 to 1, got 3"),
        ({"text": "x", "background": {"padding": -1}}, "background.padding", "a number from 0 to 10"),
    ],
)
def test_a_fault_names_its_path(caption: dict[str, Any], path: str, message: str) -> None:
    found = faults({"text": "fine"}, caption)
    assert message in found[f"settings.captions[1].{path}"]


def test_there_are_at_most_eight() -> None:
    assert not faults(*[{"text": "x"}] * 8)
    assert "a list of up to 8 objects" in faults(*[{"text": "x"}] * 9)["settings.captions"]
    assert "got" in faults("x")["settings.captions[0]"]


def test_names_are_kept_in_their_canonical_form_and_nulls_restore_defaults() -> None:
    given = {"captions": [{"text": "x", "anchor": "Top Left", "width": None, "font": {"weight": None}}]}
    merged = MergedSettings(given)
    assert merged.canonical()["captions"][0]["anchor"] == "top-left"
    caption = merged.resolve().captions[0]
    assert (caption.width, caption.font.weight) == (0.84, 600)


def test_a_requests_list_replaces_a_projects() -> None:
    merged = MergedSettings({"captions": [{"text": "b"}]}, {"captions": [{"text": "a"}, {"text": "c"}]})
    assert [one.text for one in merged.resolve().captions] == ["b"]
    wrong = MergedSettings({}, {"captions": [{"text": ""}]})
    assert wrong.faults[0].message.endswith("(set by the saved project)")


@pytest.mark.parametrize(
    ("language", "text"),
    [("de", "Hallo"), ("de-AT", "Hallo"), ("DE", "Hallo"), ("pt", "Olá"), ("zh", "你好"), (None, "Hello")],
)
def test_a_language_chooses_a_text(language: str | None, text: str) -> None:
    texts = {"en": "Hello", "de": "Hallo", "pt-BR": "Olá", "zh-Hans": "你好"}
    assert chosen(texts, language)[0] == text


@pytest.mark.parametrize("language", ["de_AT", "not a language", ""])
def test_a_malformed_language_is_refused_with_the_form(language: str) -> None:
    said = {one.path: one.message for one in MergedSettings({"language": language}).faults}
    assert said == {"settings.language": f'expected a language such as de or zh-Hant, got "{language}"'}


def test_an_unknown_language_takes_the_first_text() -> None:
    assert chosen({"en": "Hello", "de": "Hallo"}, "fr") == ("Hello", "en")


def test_a_caption_scales_with_the_picture() -> None:
    caption = Caption.model_validate({"text": "x\r\ny", "x": 0.5, "y": 0.1, "anchor": "bottom-right"})
    small, large = (spec(caption, None, 1000 * n, 500 * n) for n in (1, 2))
    assert small.text == "x\ny"
    assert (small.x, small.y, small.size, small.width) == (500, 50, 30, 840)
    assert (large.x, large.y, large.size, large.width) == (1000, 100, 60, 1680)
    assert small.align == "right"


def test_the_command_line_numbers_captions() -> None:
    found = assigned(["captions[0].text=42", "captions[1].text=b", "captions[1].font.size=.1"])
    assert found.settings == {"captions": [{"text": "42"}, {"text": "b", "font": {"size": 0.1}}]}
    assert not found.faults
    assert "numbered from 0" in assigned(["captions[1].text=b"]).faults[0].message


def test_the_longest_captions_fit_into_a_file() -> None:
    text = dict.fromkeys(("de", "en"), "😀" * 500)
    merged = MergedSettings({"captions": [{"text": text}] * 8, "language": "en"})
    made = packet(merged.resolve())
    assert len(made) < 65000
    kept = settings_in(made)
    assert kept is not None
    assert kept["captions"][7]["text"] == "😀" * 500
