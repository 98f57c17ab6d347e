"""Templates whose texts are longer than the samples, as translations are."""

from __future__ import annotations

from itertools import combinations

import pytest

pytest.importorskip("icu")
pytest.importorskip("uharfbuzz")

from service.fonts.collection import collection
from service.render.text.layout import lay_out
from service.settings.captions import spec
from service.settings.merge import MergedSettings
from service.settings.templates import Template, templates

LONG = {
    "de": "Alle Zeitleisten und Unterhaltungen an einem ruhigen Ort",
    "ar": "كل الخطوط الزمنية والمحادثات في مكان واحد هادئ",
}


@pytest.mark.parametrize("language", LONG)
@pytest.mark.parametrize(
    "template", [one for one in templates().values() if one.texts], ids=lambda one: one.id
)
@pytest.mark.parametrize("length", [14, 28, None])
def test_long_texts_stay_clear_of_each_other_and_the_edge(
    template: Template, language: str, length: int | None
) -> None:
    texts = [LONG[language][:length].strip()] * len(template.texts)
    settings = MergedSettings({}, template=template.layer(texts), texts=texts).resolve()
    width, height = settings.output_size
    blocks = []
    for caption in settings.captions:
        layout = lay_out(spec(caption, language, width, height), (width, height), collection())
        corners = layout.corners(0.0)
        assert (corners >= -1).all()
        assert (corners <= (width + 1, height + 1)).all()
        blocks.append((corners.min(0), corners.max(0)))
    for (low, high), (other_low, other_high) in combinations(blocks, 2):
        assert (low >= other_high).any() or (other_low >= high).any()
