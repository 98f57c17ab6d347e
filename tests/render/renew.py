"""Redraws reference pictures: `python -m tests.render.renew [NAME...]`; look at them before committing."""

from __future__ import annotations

import sys

from tests.render.drawings import SHEETS
from tests.render.references import write
from tests.render.scenes import SCENES, draw


def main(names: list[str]) -> None:
    for name in names or (*SCENES, *SHEETS):
        write(name, SHEETS[name]() if name in SHEETS else draw(name))
        print(name)


if __name__ == "__main__":
    main(sys.argv[1:])
