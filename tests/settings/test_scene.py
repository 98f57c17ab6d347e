"""Settings resolved against a device and a screenshot's size."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from service.devices.device import catalogue
from service.errors import Code, MockupError
from service.settings import styles
from service.settings.effects import Bloom, Grain, Vignette
from service.settings.poses import POSES
from service.settings.resolve import Source, resolve, resolve_scene
from service.settings.scene import Background, Instance, Scene
from service.settings.scene_device import Member, SceneDevice, SceneSettings
from service.settings.schema import PRESETS
from service.validation.color import Color
from tests.render.posing import settings
from tests.support.looped import looped

PHONE = (1206, 2622)


def scene(size: tuple[int, int] = PHONE, *, fast: bool = False, **given: Any) -> Scene:
    return resolve(
        settings({name.replace("__", "."): value for name, value in given.items()}), size, fast=fast
    )


def instance(size: tuple[int, int] = PHONE, **given: Any) -> Instance:
    """A scene's only device."""
    return scene(size, **given).spec.instances[0]


def refused(size: tuple[int, int] = PHONE, **given: Any) -> dict[str, str]:
    with pytest.raises(MockupError) as caught:
        scene(size, **given)
    assert caught.value.code is Code.INVALID_REQUEST
    return {detail.path: detail.message for detail in caught.value.details}


def test_light_devices_stand_out_from_the_default_background() -> None:
    def behind(**given: Any) -> Background:
        return scene(**given).spec.background

    white: dict[str, Any] = {"device": "iphone-16", "appearance__deviceColor": "White"}
    assert behind(**white).stops[0].color == styles.BEHIND_LIGHT
    for device in ("macbook-air-15", "ipad-pro-11-m4", "iphone-17-pro"):
        assert behind(device=device, appearance__deviceColor="Silver") == behind(**white)
    assert behind(device="surface-laptop-13-8", appearance__deviceColor="Platinum") == behind(**white)
    usual = behind(device="iphone-16", appearance__deviceColor="Black")
    assert behind(**white, appearance__backgroundColor="#F2F3F5") == usual
    assert behind(**white, appearance__style="clay") == usual
    for window in ("browser-safari-light", "browser-chrome-light"):
        assert behind(device=window) == usual
    assert not behind(**white, appearance__gradientEnabled=True).flat
    assert behind(**white, appearance__backgroundColor="transparent").stops[0].color.alpha == 0


def test_a_style_has_a_colour_of_its_own_where_none_is_given() -> None:
    assert instance(appearance__style="clay").tint == styles.CLAY
    assert instance(appearance__style="outline").tint == styles.INK
    dark: dict[str, Any] = {"appearance__style": "outline", "appearance__backgroundColor": "#5F5F5F"}
    assert instance(**dark).tint == styles.PALE_INK
    assert instance(**dark | {"appearance__backgroundColor": "#606060"}).tint == styles.INK
    assert instance(**dark | {"appearance__backgroundColor": "transparent"}).tint == styles.INK
    for style in ("clay", "outline"):
        assert instance(appearance__style=style, appearance__deviceColor="#C02040").tint[:3] == (
            192,
            32,
            64,
        )


def test_clay_has_one_matt_surface_of_that_colour() -> None:
    plain = catalogue()["macbook-pro-14"]
    made = styles.clay(plain)
    assert Color(240, 239, 236) == styles.CLAY
    assert (Color(29, 29, 31), Color(245, 245, 247)) == (styles.INK, styles.PALE_INK)
    for slab, was in zip(made.slabs, plain.slabs, strict=True):
        assert (slab.surface, slab.tinted, slab.real) == ("clay", True, was)
        assert (slab.back is None) == (was.back is None)
        for face in filter(None, (slab.front, slab.back)):
            assert (face.surface, face.tinted, face.inset, face.gasket) == ("clay", True, 0, 0)


def test_standing_devices_have_a_floor_in_suitable_poses() -> None:
    under = [
        scene(device=device, deviceTransform__pose=pose).spec.ground
        for device in ("macbook-pro-14", "tv-55", "iphone-16-pro")
        for pose in ("front", "floating")
    ]
    assert [one and one.kind for one in under] == ["floor", None, "floor", None, None, None]
    assert scene(device="tv-55", ground__kind="none").spec.ground is None
    wall = scene(ground__kind="wall").spec.ground
    assert wall is not None
    assert wall.kind == "wall"


def test_a_sweep_is_a_floor_or_a_wall() -> None:
    shown: dict[str, Any] = {"ground__kind": "sweep", "ground__distance": 50, "ground__reflectivity": 0.3}
    under = [
        scene(device=device, deviceTransform__pose=pose, **shown).spec.ground
        for device in ("macbook-pro-14", "iphone-16-pro", "browser-chrome-light", "card")
        for pose in ("front", "floating")
    ]
    kinds = ["floor", "wall", "wall", "wall", None, None, None, None]
    assert [one and one.kind for one in under] == kinds
    floor, wall = under[0], under[2]
    assert floor == scene(device="macbook-pro-14", ground__reflectivity=0.3).spec.ground
    assert wall is not None
    touching = scene(ground__kind="wall").spec.ground
    assert touching is not None
    assert (wall.distance, touching.distance) == (8, 0)
    assert wall.opacity == pytest.approx(0.66 * touching.opacity)
    assert wall.softness == pytest.approx(0.46 * touching.softness)
    assert wall.reflectivity == 0


@pytest.mark.parametrize(("second", "kind"), [("macbook-pro-14", "floor"), ("pixel-9-pro", None)])
def test_a_sweep_has_no_wall_behind_several_devices(second: str, kind: str | None) -> None:
    names = "iphone-16-pro", second
    members = tuple(Member(SceneDevice(device=name), number) for number, name in enumerate(names))
    swept = SceneSettings(settings({"ground.kind": "sweep"}), members, named=True)
    ground = resolve_scene(swept, [Source(PHONE), Source(PHONE)], fast=False).spec.ground
    assert (ground and ground.kind) == kind


def test_the_device_turns_to_suit_the_screenshot() -> None:
    assert instance(PHONE).orientation == "portrait"
    assert instance(PHONE[::-1]).orientation == "landscape"
    assert instance((500, 500)).orientation == "portrait"
    assert instance((500, 500), device="macbook-pro-14").orientation == "landscape"
    assert instance((500, 900), device="macbook-pro-14").orientation == "landscape"
    assert instance(PHONE, orientation="landscape").orientation == "landscape"


def test_natural_is_as_makers_show_it() -> None:
    for size in (PHONE, PHONE[::-1], (500, 500)):
        assert instance(size, orientation="natural").orientation == "portrait"
        assert instance(size, device="surface-pro-11", orientation="natural").orientation == "landscape"
        assert instance(size, device="macbook-pro-14", orientation="natural").orientation == "landscape"
    assert not scene(device="card", orientation="natural").warnings


@pytest.mark.parametrize("device", ["galaxy-z-fold-7", "pixel-10-pro-fold", "galaxy-z-flip-7"])
def test_foldables_stand_upright_unless_asked_otherwise(device: str) -> None:
    for size in ((1280, 800), (1920, 1080), (1206, 2622), (900, 900)):
        assert instance(size, device=device).orientation == "portrait"
    assert instance((1280, 800), device=device, orientation="landscape").orientation == "landscape"
    # For a screenshot that is wider than high, `auto` chooses landscape.
    across, up = catalogue()[device].screen.px
    assert instance((up, across), device=device).orientation == "landscape"
    assert scene((across, up), device="auto").spec.device.id == device
    assert instance((up, across), device="auto").orientation == "landscape"


def test_on_its_side_a_device_has_its_top_at_either_end() -> None:
    assert instance(PHONE).quarters == 0
    assert instance(PHONE, orientation="landscape").quarters == 1
    assert instance(PHONE, orientation="landscape-right").quarters == -1
    assert instance(PHONE, orientation="Landscape Right").quarters == -1
    assert instance(PHONE, device="surface-pro-11", orientation="portrait").quarters == 1


def test_unsupported_orientations_are_refused() -> None:
    assert catalogue()["iphone-16-pro"].standings == ("portrait", "landscape", "landscape-right")
    for device in ("steam-deck-oled", "apple-watch-ultra-3", "surface-pro-11"):
        assert "settings.orientation" in refused(device=device, orientation="landscape-right")
    with pytest.raises(MockupError) as caught:
        scene(device="macbook-pro-14", orientation="portrait")
    assert caught.value.message == "settings.orientation: macbook-pro-14 can only be landscape"
    details = refused(device="macbook-pro-14", orientation="portrait")
    assert details == {"settings.orientation": "macbook-pro-14 can only be landscape"}


def test_finishes_by_name_and_by_colour() -> None:
    finish = catalogue()["iphone-16-pro"].finishes[1]
    wanted = Color(*bytes.fromhex(finish.hex[1:]))
    for text in (
        finish.name,
        finish.name.lower(),
        f"  {finish.name.upper()} ",
        finish.name.replace(" ", "-"),
        finish.hex,
    ):
        assert instance(appearance__deviceColor=text).tint == wanted
    first = catalogue()["iphone-16-pro"].finishes[0]
    assert instance().tint == Color(*bytes.fromhex(first.hex[1:]))
    assert instance(appearance__deviceColor="#abc").tint == Color(0xAA, 0xBB, 0xCC)


def test_a_finish_may_be_of_another_surface() -> None:
    watch = catalogue()["apple-watch-series-9-45"]
    made = scene(device=watch.id, appearance__deviceColor="gold stainless steel").device
    body, usual = made.slab("body"), watch.slab("body")
    assert (usual.surface, body.surface, made.slab("crown-1").surface) == (
        "aluminium",
        "polished",
        "polished",
    )
    assert body.front == usual.front  # of glass
    assert made.slab("strap-top") == watch.slab("strap-top")
    again = scene(device=watch.id, appearance__deviceColor=next(
        finish.hex for finish in watch.finishes if finish.name == "Gold Stainless Steel"
    ))  # fmt: skip
    assert again.spec == scene(device=watch.id, appearance__deviceColor="gold stainless steel").spec
    assert pickle.loads(pickle.dumps(again)).device == made
    assert scene(device=watch.id, appearance__deviceColor="Pink").device is watch


def test_a_pose_suits_the_category_of_the_device() -> None:
    seen = {
        device: scene((3024, 1964), device=device, deviceTransform__pose="isometric-left").spec.transform
        for device in ("iphone-16-pro", "macbook-pro-14", "auto")
    }
    assert (seen["iphone-16-pro"].rx, seen["iphone-16-pro"].ry, seen["iphone-16-pro"].rz) == (-54.7, 0, 45)
    assert (seen["macbook-pro-14"].rx, seen["macbook-pro-14"].ry, seen["macbook-pro-14"].rz) == (
        8,
        -41.6,
        -18.9,
    )
    assert seen["auto"] == seen["macbook-pro-14"]
    assert {turn.fov for turn in seen.values()} == {0}
    assert (seen["iphone-16-pro"].framing, seen["macbook-pro-14"].framing) == ("posed", "balanced")


def test_members_given_beside_a_pose_override_it() -> None:
    given = scene(deviceTransform__pose="hero-left", deviceTransform__rotationY=0.0, deviceTransform__scale=2)
    turn, pose = given.spec.transform, POSES["hero-left"].views["phone"]
    assert (turn.rx, turn.ry, turn.rz) == (pose.rotation_x, 0, pose.rotation_z)
    assert (turn.scale, turn.fov, turn.framing) == (2, pose.field_of_view, pose.framing)


@pytest.mark.parametrize("text", ["chartreuse", "", "#12345", "x" * 5000])
def test_an_unknown_finish_is_refused_with_a_list(text: str) -> None:
    details = refused(appearance__deviceColor=text)
    assert list(details) == ["settings.appearance.deviceColor"]
    message = details["settings.appearance.deviceColor"]
    assert all(finish.name in message for finish in catalogue()["iphone-16-pro"].finishes)
    assert len(message) < 400


@pytest.mark.parametrize(("text", "near"), [("naturel titanium", "Natural Titanium"), ("red", "#FF0000")])
def test_a_near_finish_or_the_colour_of_a_name(text: str, near: str) -> None:
    message = refused(appearance__deviceColor=text)["settings.appearance.deviceColor"]
    assert message.endswith(f'found "{text}"; did you mean {near}?')


def test_a_transparent_device_colour_is_refused() -> None:
    assert refused(appearance__deviceColor="#11223380") == {
        "settings.appearance.deviceColor": 'expected an opaque colour, got "#11223380"; did you mean #112233?'
    }
    assert instance(appearance__deviceColor="#112233FF").tint == Color(0x11, 0x22, 0x33)


def test_an_unused_colour_is_reported() -> None:
    plain = scene(device="browser-chrome-light")
    assert plain.warnings == ()
    assert scene(device="browser-chrome-light", appearance__deviceColor="light").warnings == ()
    red = scene(device="browser-chrome-light", appearance__deviceColor="#C02018")
    assert [warning.code for warning in red.warnings] == ["COLOR_UNUSED"]
    assert red.spec == plain.spec
    assert scene(appearance__deviceColor="#C02018").warnings == ()
    assert list(refused(device="browser-chrome-light", appearance__deviceColor="no such")) == [
        "settings.appearance.deviceColor"
    ]


def test_a_clear_screen_background_lies_on_black() -> None:
    assert scene(screen__background="#FF804080").fit.background == Color(128, 64, 32)
    assert scene(screen__background="#FF8040").fit.background == Color(255, 128, 64)


def test_every_problem_is_named_at_once() -> None:
    details = refused(device="macbook-pro-14", orientation="portrait", appearance__deviceColor="nice")
    assert set(details) == {"settings.orientation", "settings.appearance.deviceColor"}


@looped("name", PRESETS)
def test_presets_are_exact_and_win(name: str) -> None:
    spec = scene(canvas={"preset": name, "width": 100, "height": 100}).spec
    assert (spec.width, spec.height) == PRESETS[name]


def test_scale_multiplies_canvas_shadow_and_grain() -> None:
    plain = scene(postProcessing__grain={"size": 1.5})
    large = scene(postProcessing__grain={"size": 1.5}, export__scale=2)
    assert (large.spec.width, large.spec.height) == (3840, 2160)
    assert plain.spec.shadow is not None
    assert large.spec.shadow is not None
    assert plain.effects == (Grain(amount=0.08, size=1.5, seed=0),)
    assert large.effects == (Grain(amount=0.08, size=3.0, seed=0),)
    assert large.spec.shadow.sigma == pytest.approx(2 * plain.spec.shadow.sigma)
    assert large.spec.shadow.y == pytest.approx(2 * plain.spec.shadow.y)
    assert scene(export__scale=1.5, canvas__width=333).spec.width == 500


def test_the_shadows_units() -> None:
    shadow = scene(shadow__blur=10, shadow__offsetX=0.1, canvas__width=800, canvas__height=600).spec.shadow
    assert shadow is not None
    assert shadow.sigma == pytest.approx(10 * 0.006 * 600)
    assert (shadow.x, shadow.y) == pytest.approx((60, -18))
    assert scene(shadow__enabled=False).spec.shadow is None
    assert scene(shadow__opacity=0).spec.shadow is None


def test_effects_as_flags_and_as_objects() -> None:
    effects = scene(
        postProcessing__bloom=True, postProcessing__vignette=True, postProcessing__grain=True
    ).effects
    assert effects == (
        Bloom(intensity=0.6, threshold=0.8, radius=0.4),
        Vignette(amount=0.35, softness=0.5),
        Grain(amount=0.08, size=1, seed=0),
    )
    off = scene(postProcessing__bloom={"intensity": 0}, postProcessing__grain={"amount": 0}).effects
    assert off == scene().effects == scene(postProcessing__bloom=False).effects == ()


def test_equal_looking_settings_share_a_plate() -> None:
    off = scene(reflection__enabled=False).spec
    assert scene(reflection__intensity=0, reflection__environment="sunset").spec == off
    assert scene(reflection__environment="none").spec == off
    assert scene(reflection__enabled=False, reflection__glare="natural").spec == off
    assert scene(reflection__enabled=False, reflection__spill=2).spec == off
    finish = catalogue()["iphone-16-pro"].finishes[0]
    assert scene(appearance__deviceColor=finish.name).spec == scene().spec
    assert scene(postProcessing__bloom=True, screen__fit="contain").spec == scene().spec
    assert scene(export__format="jpeg").spec == scene().spec
    assert hash(scene().spec) == hash(scene().spec)


def test_glare_is_reduced_unless_more_is_wanted() -> None:
    assert scene().spec.glare == "reduced"
    for wanted in ("soft", "natural"):
        assert scene(reflection__glare=wanted).spec.glare == wanted


def test_fast_reaches_the_plate_and_the_encoder() -> None:
    quick = scene(fast=True)
    assert quick.spec.fast
    assert quick.output.fast
    assert not scene().spec.fast


def test_a_catalogue_device_goes_to_another_process_by_its_id() -> None:
    made = scene()
    told = pickle.dumps(made)
    assert pickle.loads(told).device is made.device
    assert len(told) < 2500
    other = made.device.model_copy(update={"name": "One of our own"})
    assert pickle.loads(pickle.dumps(other)) == other


def test_larger_pictures_are_scaled_down_with_all_that_is_in_them() -> None:
    given = settings({"export.scale": 2, "postProcessing.grain": True, "shadow.blur": 10})
    whole = resolve(given, PHONE, fast=True)
    small = resolve(given, PHONE, fast=True, most=518_400)
    assert (whole.spec.width, whole.spec.height) == (3840, 2160)
    assert (small.spec.width, small.spec.height) == (960, 540)
    assert whole.spec.shadow is not None
    assert small.spec.shadow is not None
    assert small.spec.shadow.sigma == pytest.approx(whole.spec.shadow.sigma / 4)
    # Each output pixel averages two canvas pixels, so grain as small as one pixel would disappear.
    assert whole.effects == (Grain(amount=0.08, size=2.0, seed=0),)
    assert small.effects == (Grain(amount=0.04, size=1.0, seed=0),)
    assert resolve(given, PHONE, fast=True, most=10**8) == whole
    line = resolve(settings({"canvas.width": 4096, "canvas.height": 64}), PHONE, fast=True, most=32).spec
    assert (line.width, line.height) == (45, 1)


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1081, 1923), (64, 4096), (4096, 64)])
def test_scaled_pictures_keep_their_shape(width: int, height: int) -> None:
    given = settings({"canvas.width": width, "canvas.height": height})
    spec = resolve(given, PHONE, fast=True, most=20_000).spec
    assert 0.9 * 20_000 < spec.width * spec.height <= 20_000
    assert abs(spec.width - spec.height * width / height) <= max(1, width / height)
