"""Attack a server on this machine: `python -m benchmarks.attacks ADDRESS --key KEY`."""

from __future__ import annotations

import argparse

from benchmarks.attacks.line import Target, run
from benchmarks.attacks.list import ATTACKS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address", help="such as http://127.0.0.1:8000")
    parser.add_argument("--key", action="append", default=[], help="of a user with access; several times")
    parser.add_argument("--free", default="", help="a key of a user without access")
    parser.add_argument("--only", default="", help="those whose name has this in it")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each")
    arguments = parser.parse_args()
    target = Target(arguments.address, tuple(arguments.key), arguments.free or (arguments.key or [""])[0])
    for attack in ATTACKS.values():
        if arguments.only in attack.name:
            print(attack.name, dict(run([attack], target, arguments.seconds)[attack.name]))


if __name__ == "__main__":
    main()
