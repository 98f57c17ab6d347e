"""The page on security names only things that exist, and its table has every limit."""

import ast
import re
from pathlib import Path

from annotated_types import Ge, Gt, Le

from service.config import Config
from service.limits import LIMITS, VARIABLES

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
# Variables that set a limit, unlike those that say where and how the service runs. The text of the page
# covers ports.
BOUNDS = re.compile(
    r"max_|_timeout_s$|_s$|rate_|renders_|queue_|fetch_(?!denied|ports)|cache_|uploads_|results_|recordings_|films_|memory_|_threads$"
)


def test_every_variable_it_names_exists() -> None:
    named = {name.lower() for name in re.findall(r"MOCKUP_(\w+)", PAGE)}
    assert named <= set(Config.model_fields)


def test_every_variable_that_bounds_something_is_a_limit() -> None:
    assert {name for name in Config.model_fields if BOUNDS.search(name)} == set(VARIABLES)


def test_variables_have_the_defaults_and_bounds_of_their_limits() -> None:
    for name, one in VARIABLES.items():
        field = Config.model_fields[name]
        bounds = [bound for bound in (one.least, one.above, one.most) if bound is not None]
        found = [
            *(item.ge for item in field.metadata if isinstance(item, Ge)),
            *(item.gt for item in field.metadata if isinstance(item, Gt)),
            *(item.le for item in field.metadata if isinstance(item, Le)),
        ]
        assert (field.default, sorted(map(float, bounds))) == (one.value, sorted(map(float, found))), name  # type: ignore[arg-type]


def test_no_limit_is_listed_twice() -> None:
    assert len({one.about for one in LIMITS}) == len(LIMITS)


def test_every_fixed_limit_is_used() -> None:
    tree = ast.parse((ROOT / "service" / "limits.py").read_text(encoding="utf-8"))
    names = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and not target.id.startswith("_")
    }
    files = set((ROOT / "service").rglob("*.py")) - {ROOT / "service" / "limits.py"}
    used = set(re.findall(r"\b[A-Z][A-Z_]+\b", "\n".join(file.read_text("utf-8") for file in files)))
    assert [name for name in names - used if len(name) > 1] == []


def test_its_links_lead_to_existing_targets() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", PAGE)
    assert links
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
