"""The tests that should notice a fault in each file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.mutants import ROOT
from benchmarks.mutants.faults import faults
from benchmarks.mutants.importers import importers
from service.render.kernels import MODULES
from service.settings import effects

KEPT = "render/test_references.py"
DRAWN = "render/test_references.py::test_the_drawing_looks_as_kept"
# Of a module that more test files import, most use it and do not test it.
MANY = 8
LIGHT = ("render/test_lobes.py", "render/test_environment.py", "render/test_reflection.py")
EFFECTS = ("render/test_effects.py", "render/test_depth.py", KEPT)


@dataclass(frozen=True)
class Target:
    """A file of the service and the tests that judge it, the quickest first.

    Both are relative: to the folder of the service and to the folder of the tests.
    """

    file: str
    tests: tuple[str, ...]


def _render(name: str, *tests: str) -> Target:
    return Target(f"render/{name}.py", tests)


CODED = "codec/test_decode.py", "codec/test_encode.py", "codec/test_metadata.py"
#: Packages whose tests are quick enough to judge each of their files, and folders with tests of their own.
#: Files of other packages are tried only if `NAMED` has them.
ROOMS: dict[str, tuple[str, ...]] = {
    "accounts": tuple(
        f"accounts/test_{name}.py"
        for name in (
            "users",
            "keys",
            "projects",
            "uploads",
            "limits",
            "administration",
            "database",
            "shared_limits",
        )
    ),
    "accounts/migrations": ("accounts/test_migration.py", "accounts/test_postgresql.py"),
    "admission": ("admission",),
    "api": (
        "api/test_reference.py",
        "api/test_openapi.py",
        "api/test_errors.py",
        "api/test_mockup.py",
        "api/test_limits.py",
        "api/test_body.py",
    ),
    "codec": ("codec/test_content.py", "codec/test_support.py", "codec/test_hostile.py", *CODED),
    "codec/color": ("codec/test_color.py",),
    "codec/formats": (
        "codec/test_header_fields.py",
        "codec/test_header.py",
        "codec/test_memory.py",
        *CODED,
        "codec/test_hostile.py",
    ),
    "codec/sandbox": ("codec/sandbox",),
    "commands": ("commands/test_cli.py", "commands/test_render.py"),
    "commands/bulk": (
        "commands/test_bulk.py",
        "commands/test_bulk_stores.py",
        "commands/test_store_set.py",
        "commands/test_framefile.py",
    ),
    "commands/mcp": ("commands/test_mcp.py",),
    "devices": ("devices", "frames/test_device_files.py", "frames/test_geometry.py"),
    "engine": ("engine", "api/test_scenes.py", "api/test_gallery.py", "api/test_errors.py"),
    "films": ("films", "api/test_films.py"),
    "fonts": ("render/text/test_layout.py", "api/test_fonts.py"),
    "http": ("http",),
    "processes": ("processes",),
    "settings": ("settings", "api/test_reference.py", "api/test_settings_form.py"),
    "sources": ("sources", "api/test_mockup.py", "api/test_webhook.py"),
    "system": ("system",),
    "validation": (
        "validation",
        "devices",
        *(f"settings/test_{name}.py" for name in ("merge", "scene", "captions", "gradient")),
        "api/test_names.py",
        "api/test_errors.py",
    ),
    "workers": ("workers",),
}
#: Tests in files with other names than the service's, which run before those of the package.
ELSEWHERE: dict[str, tuple[str, ...]] = {
    "accounts/audit": ("accounts/test_administration.py",),
    "accounts/tables": ("accounts/test_migration.py",),
    "accounts/errors": ("accounts/test_grants.py", "accounts/test_ends.py"),
    "accounts/patient_connection": ("accounts/test_postgresql.py",),
    "accounts/recordings": ("api/test_films.py",),
    "accounts/results": ("api/test_results.py",),
    "accounts/shared_windows": ("accounts/test_shared_limits.py",),
    "accounts/store": ("accounts/test_films.py", "accounts/test_recordings.py"),
    "accounts/stored_files": ("accounts/test_uploads.py", "api/test_results.py"),
    "api/access": ("api/test_scopes.py", "api/test_administration.py"),
    "api/account_bodies": ("api/test_administration.py",),
    "api/admission": ("api/test_singular.py", "api/test_shedding.py", "api/test_scopes.py"),
    "api/conditions": ("api/test_responses.py", "api/test_thumbnails.py", "api/test_results.py"),
    "api/body": ("api/test_streamed_bodies.py",),
    "api/cors": ("api/test_cross_origin.py",),
    "api/file_responses": ("api/test_responses.py", "api/test_results.py", "api/test_films.py"),
    "api/film_body": ("api/test_films.py",),
    "api/film_stills": ("api/test_film_work.py", "api/test_films.py"),
    "api/form_fields": ("api/test_form.py",),
    "api/films": ("api/test_refunds.py",),
    "api/idempotency": ("api/test_results.py", "api/test_films.py"),
    "api/json_body": ("api/test_body.py", "api/test_many_members.py"),
    "api/live_preview": ("api/test_live_previews.py",),
    "api/media_type": ("api/test_form.py", "api/test_body.py"),
    "api/operation": ("api/test_scopes.py",),
    "api/operations": ("api/test_scopes.py", "api/test_detours.py"),
    "api/parsed_request": ("api/test_form.py",),
    "api/paths": ("api/test_detours.py",),
    "api/picture_file": ("api/test_thumbnails.py",),
    "api/preview_turn": ("api/test_live_previews.py",),
    "api/query": ("api/test_catalogue.py", "api/test_names.py"),
    "api/metrics": ("test_monitoring.py",),
    "api/readings": ("api/test_metrics.py", "test_monitoring.py"),
    "api/recordings": ("api/test_films.py", "api/test_film_work.py"),
    "api/reference_page": ("api/test_pages.py",),
    "api/scene_body": ("api/test_scenes.py",),
    "api/sending": ("http/test_protocol.py",),
    "api/tracer": ("api/test_traces.py",),
    "api/tracing": ("api/test_traces.py",),
    "api/uuids": ("api/test_results.py", "api/test_uploads.py"),
    "api/webhook_secret": ("api/test_webhook.py",),
    "codec/exif": ("codec/test_header_fields.py",),
    "codec/formats/__init__": ("codec/test_formats.py",),
    "codec/formats/png/samples": ("codec/test_unfilter.py",),
    "codec/picture": ("codec/test_header.py",),
    "codec/raw": ("codec/test_color.py",),
    "codec/unsupported": ("codec/test_header.py",),
    "commands/accounts": ("commands/test_cli.py",),
    "commands/audit": ("test_audit.py",),
    "commands/bulk/caption_fonts": ("commands/test_framefile.py", "commands/test_store_set.py"),
    "commands/bulk/dask_driver": ("commands/test_bulk_dask.py",),
    "commands/bulk/dask_worker": ("commands/test_dask_worker.py", "commands/test_bulk_dask.py"),
    "commands/bulk/framed": ("commands/test_framefile.py", "commands/test_store_set.py"),
    "commands/bulk/manifest": ("commands/test_bulk.py", "test_examples.py"),
    "commands/bulk/places": ("commands/test_bulk_stores.py", "commands/test_render_places.py"),
    "commands/bulk/receipts": ("commands/test_receipts.py",),
    "commands/bulk/saved_set": ("commands/test_store_set.py",),
    "commands/bulk/stores": ("commands/test_bulk_stores.py",),
    "commands/bulk/strings_file": ("commands/test_framefile.py",),
    "commands/demo": ("commands/test_serve.py", "commands/test_pages.py"),
    "commands/environment": ("test_configuration.py", "commands/test_config.py"),
    "commands/film_manifest": ("test_examples.py", "commands/test_film.py"),
    "commands/health": ("commands/test_serve.py",),
    "commands/link": ("commands/test_link.py", "commands/test_troubleshooting.py"),
    "commands/picture_file": ("commands/test_bulk_stores.py", "commands/test_render_places.py"),
    "commands/projects": ("commands/test_cli.py", "commands/test_pages.py"),
    "commands/render": ("commands/test_scene.py",),
    "commands/screenshots": ("commands/test_render_places.py",),
    "commands/server_url": ("commands/test_serve.py",),
    "commands/startup_warnings": ("commands/test_serve.py", "commands/test_troubleshooting.py"),
    "commands/settings_file": ("settings/test_captions.py",),
    "devices/device_names": ("validation/test_names.py",),
    "devices/families/corner": ("frames/test_outline.py",),
    "devices/families/laptop": ("frames/test_keyboard.py",),
    "devices/families/panel": ("render/test_catalogue.py",),
    "devices/families/strap": ("frames/test_strap.py",),
    "devices/content": ("codec/test_content.py",),
    "films/recording": ("films/test_source.py",),
    "settings/assignments": ("test_examples.py",),
    "settings/background_image": ("engine/test_background_image.py",),
    "settings/document": ("validation/test_messages.py",),
    "settings/layouts": ("render/test_arrangement.py",),
    "settings/metadata": ("codec/test_metadata.py", "settings/test_captions.py"),
    "settings/motion": ("films/test_motion.py", "films/test_schedule.py"),
    "settings/moves": ("films/test_motion.py",),
    "settings/styles": ("settings/test_scene.py", "render/test_styles.py"),
    "workers/opening": ("workers/test_unsandboxed.py",),
    "workers/pending_job": ("workers/test_pool.py",),
}


def _rooms() -> Iterator[Target]:
    """The files of `ROOMS`, each with its tests, of which those named after the file come first."""
    for path in sorted((ROOT / "service").rglob("*.py")):
        name = path.relative_to(ROOT / "service")
        rooms = [str(folder) for folder in name.parents if str(folder) in ROOMS]
        if rooms and faults(path.read_text()):
            own = str(name.with_name(f"test_{name.name}")), f"{name.parts[0]}/test_{name.name}"
            there = [one for one in dict.fromkeys(own) if (ROOT / "tests" / one).exists()]
            there += ELSEWHERE.get(str(name.with_suffix("")), ())
            yield Target(str(name), tuple(dict.fromkeys((*there, *ROOMS[rooms[0]]))))


NAMED = (
    _render("kernels/__init__", "render/kernels/test_library.py"),
    *(_render(f"kernels/{name}", f"render/kernels/test_{name}.py") for name in MODULES),
    _render("compose/background_image", "engine/test_background_image.py"),
    _render("plates/backdrop", "render/test_background.py", "render/test_shadow.py", KEPT),
    _render("plates/background", "render/test_background.py", KEPT),
    _render("paint/planar_reflection", "render/test_planar_reflection.py", KEPT),
    _render("geometry/bend", "render/test_bend.py", KEPT),
    _render("paint/crevice", "render/test_crevice.py", KEPT),
    _render("geometry/footing", "render/test_footing.py", KEPT),
    _render("paint/foot", "render/test_hinged.py", KEPT),
    _render("paint/final_gather", "render/test_occluder.py", KEPT),
    _render("paint/hollow", "render/test_hollow.py", KEPT),
    _render("body", KEPT, "render/test_identity.py", "render/test_seams.py"),
    _render("assembly", "render/test_assembly.py"),
    _render("quality", KEPT, "render/test_preview.py"),
    _render("light/frame", KEPT, "render/test_frame.py"),
    _render("paint/order", "render/test_frame.py", KEPT, "render/test_straps.py", "render/test_extremes.py"),
    _render("paint/standing", KEPT, "render/test_contact.py", "render/test_hemisphere.py"),
    _render(
        "paint/radiance", KEPT, "render/test_base.py", "render/test_hollow.py", "render/test_neighbours.py"
    ),
    _render("paint/over", KEPT, "render/test_occluder.py", "render/test_neighbours.py"),
    _render("paint/holes", KEPT, "render/test_holes.py"),
    _render("light/floor", KEPT, "render/test_floor.py"),
    _render("paint/cover", KEPT, "render/test_fold.py"),
    *(
        _render(f"passes/{name}", KEPT, *tests)
        for name, tests in {
            "target": ("render/test_identity.py", "render/test_fold.py", "render/test_crevice.py"),
            "walls": ("render/test_rim.py",),
            "sides": ("render/test_decal.py",),
            "edges": ("render/test_rim.py", "render/test_fold.py"),
            "drapery": ("render/test_draped.py",),
            "faces": ("render/test_color.py", "render/test_reflection.py", "render/test_varnish.py"),
            "strips": ("render/test_hinged.py",),
            "grain": ("render/test_grain.py",),
            "layers": ("render/test_layers.py", "render/test_color.py", "render/test_tint.py"),
            "reflections": ("render/test_images.py", "render/test_fold.py"),
            "gloss": ("render/test_reflection.py",),
            "shadows": ("render/test_contact.py",),
            "gaps": ("render/test_crevice.py",),
            "screens": ("render/test_screens.py", "render/test_identity.py"),
            "joins": ("render/test_identity.py",),
        }.items()
    ),
    _render("light/joint", "render/test_joint.py", KEPT),
    _render("light/near_field", "render/test_occluder.py", KEPT),
    _render("light/brdf", "render/test_brdf.py", KEPT, *LIGHT),
    _render("geometry/camera", "render/test_camera.py", KEPT, "render/test_transform.py"),
    _render("geometry/rotation", "render/test_camera.py", KEPT),
    _render("geometry/arrangement", "render/test_arrangement.py", "render/test_camera.py"),
    _render("geometry/distance", "render/test_assembly.py"),
    _render("plates/cast", "render/test_assembly.py"),
    _render("light/tint", KEPT, "render/test_tint.py"),
    _render("paint/contact", KEPT, "render/test_contact.py"),
    _render("geometry/coverage", KEPT, "render/test_coverage.py"),
    _render("plates/composite", KEPT, "render/test_composite.py", "render/test_preview.py"),
    _render("dither", "render/test_dither.py", "render/test_background.py", KEPT),
    _render(
        "paint/canvas", KEPT, "render/test_background.py", "render/test_preview.py", "render/test_seams.py"
    ),
    _render("light/environment", KEPT, *LIGHT),
    _render("compose/exposure", *EFFECTS, "render/test_color.py"),
    _render("geometry/face", KEPT, "render/test_transform.py", "render/test_screens.py"),
    *(_render(f"effects/{name}", *EFFECTS) for name in effects.EFFECTS),
    _render("effects/__init__", *EFFECTS),
    _render("effects/band", *EFFECTS),
    _render("memoize", "render/test_memoize.py", KEPT),
    Target("concurrency/circuit_breaker.py", ("concurrency/test_circuit_breaker.py",)),
    Target("concurrency/async_single_flight.py", ("concurrency/test_single_flight.py",)),
    Target("concurrency/single_flight.py", ("concurrency/test_single_flight.py",)),
    Target("concurrency/ordered_map.py", ("concurrency/test_ordered_map.py",)),
    *(
        Target(f"concurrency/{name}.py", ("concurrency", "admission/test_queue.py"))
        for name in ("fair_shares", "latest", "start_times", "turns", "waiting_line")
    ),
    _render("light/gap", "render/test_gap.py", KEPT),
    _render("light/hinged", "render/test_hinged.py", KEPT),
    _render("light/lobes", "render/test_lobes.py", "render/test_occluder.py", KEPT),
    _render("material", KEPT, "render/test_lobes.py"),
    _render("geometry/mesh", KEPT, "render/test_lobes.py", "render/test_camera.py"),
    _render("light/falloff", "render/test_falloff.py"),
    *(_render(f"{room}/spill", "render/test_spill.py", KEPT) for room in ("light", "plates")),
    _render("light/panorama", "render/test_panorama.py"),
    _render("light/field", "render/test_interreflection.py", "render/kernels/test_occluders.py", KEPT),
    _render("light/interreflection", "render/test_interreflection.py", KEPT),
    _render("light/neighbours", "render/test_neighbours.py"),
    _render("light/occluder", KEPT, "render/test_occluder.py"),
    _render("geometry/depth_sort", "render/test_depth_sort.py", KEPT, "render/test_extremes.py"),
    _render(
        "geometry/outline",
        "render/test_outline.py",
        KEPT,
        "render/test_transform.py",
        "frames/test_geometry.py",
    ),
    _render("paint/plane", KEPT, "render/test_fit.py", "render/test_identity.py"),
    _render("plates/depth", "render/test_depth.py"),
    _render(
        "plates/plate", KEPT, "render/test_composite.py", "render/test_depth.py", "render/test_effects.py"
    ),
    _render("plates/preview", KEPT, "render/test_preview.py", "render/test_composite.py"),
    _render("scattered", "render/test_scattered.py", KEPT),
    _render("geometry/straps", "render/test_straps.py", KEPT),
    _render("light/hemisphere", "render/test_hemisphere.py", KEPT),
    _render("paint/images", "render/test_images.py", KEPT),
    _render("geometry/raster", "render/test_raster.py", KEPT, "render/test_extremes.py"),
    _render("paint/decal", "render/test_decal.py", KEPT),
    _render("paint/wrapped", "render/test_decal.py", KEPT),
    _render("paint/draped", "render/test_draped.py", KEPT),
    _render("paint/grain", "render/test_grain.py", KEPT),
    _render("paint/rim", "render/test_rim.py", KEPT),
    _render("paint/culling", "render/test_culling.py", "render/test_straps.py"),
    _render("paint/seams", "render/test_seams.py", KEPT),
    _render("paint/softening", "render/test_softening.py", KEPT),
    _render("paint/screens", "render/test_screens.py", KEPT, "render/test_fit.py"),
    _render("light/shading", KEPT, *LIGHT),
    _render("plates/shadow", "render/test_shadow.py", KEPT, "render/test_preview.py"),
    _render("plates/grid", "render/test_ground.py", KEPT),
    _render("plates/ground", "render/test_ground.py", KEPT),
    _render("plates/haze", "render/test_mirror.py"),
    _render("plates/mirror", "render/test_mirror.py"),
    _render("plates/plane", "render/test_ground.py", KEPT),
    _render("plates/shade", "render/test_ground.py", "render/test_mirror.py", KEPT),
    _render("plates/softbox", "render/test_ground.py", KEPT),
    _render("compose/captions", "render/text/test_layout.py"),
    _render("text/drawing", "render/text/test_drawing.py", "render/text/test_layout.py"),
    _render("text/fallback", "render/text/test_layout.py"),
    _render("text/layout", "render/text/test_layout.py"),
    _render("text/paragraph", "render/text/test_layout.py"),
    _render("compose/sampled", "render/test_sampled.py", KEPT),
    _render("compose/shot", KEPT, "render/test_fit.py", "settings/test_warnings.py", "render/test_color.py"),
    _render("geometry/silhouette", "render/test_silhouette.py", KEPT, "render/test_camera.py"),
    _render("paint/textures", "render/test_textures.py", KEPT),
    *(
        _render(f"drawing/{name}", DRAWN, "render/test_drawing.py", "render/test_windows.py")
        for name in ("bars", "easel", "glyphs", "lettering")
    ),
    *(
        _render(name, KEPT, "render/test_styles.py")
        for name in (
            "geometry/stroke",
            "paint/engraved",
            "paint/linework",
            "paint/motifs",
            "plates/outlined",
        )
    ),
    _render("tone", "render/test_tone.py", KEPT),
    Target("srgb.py", ("render/test_tone.py", "codec/test_color.py", KEPT)),
    _render("paint/wall", KEPT, "render/test_lobes.py", "render/test_gaskets.py", "render/test_occluder.py"),
    # Modules that belong to no package.
    *(
        Target(f"{name}.py", tests)
        for name, tests in {
            "__init__": ("test_package.py", "test_rooms.py"),
            "__main__": ("commands/test_main.py", "commands/test_cli.py", "commands/test_render_places.py"),
            "app": ("commands/test_serve.py", "api/test_health.py", "api/test_traces.py"),
            "cli": ("commands/test_cli.py", "commands/test_documentation.py", "test_man_page.py"),
            "clock": ("test_clock.py", "concurrency/test_ordered_map.py", "admission/test_queue.py"),
            "config": ("test_configuration.py", "test_security_page.py", "commands/test_config.py"),
            "config_file": ("commands/test_config.py",),
            "errors": ("test_errors.py", "api/test_errors.py"),
            "limits": ("api/test_reference.py", "test_security_page.py", "test_deploy.py"),
            "logs": ("test_logs.py", "api/test_request_log.py"),
            "plans": ("test_plans.py", "commands/test_config.py"),
            "secret_files": ("test_configuration.py", "test_plans.py"),
            "shipped": ("commands/test_doctor.py", "render/kernels/test_library.py"),
            "version": ("test_package.py", "commands/test_cli.py", "api/test_health.py"),
        }.items()
    ),
)


def _with_importers(target: Target) -> Target:
    """The target with the test files that import its module, which run last, unless they are many."""
    module = ".".join(("service", *Path(target.file).with_suffix("").parts)).removesuffix(".__init__")
    found = importers().get(module, ())
    if len(found) > MANY:
        return target
    named = {test.partition("::")[0] for test in target.tests}
    added = [test for test in found if not named & {test, *map(str, Path(test).parents)}]
    return Target(target.file, (*target.tests, *added))


@cache
def targets() -> tuple[Target, ...]:
    """All files that are tested; parsing the service and the tests takes a few seconds."""
    return tuple(_with_importers(target) for target in (*NAMED, *_rooms()))
