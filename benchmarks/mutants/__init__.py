"""Mutation testing: small faults are put into the code one at a time, to see whether the tests notice.

Neither of the maintained tools fits. mutmut 3 only changes functions, by choosing between copies at run time,
so it misses a module's constants, which define half of a renderer, and compiled kernels. cosmic-ray starts an
interpreter and the same tests for every fault, which takes seconds to load what is forked here. Neither draws
a sample that stays the same for the same code. This package has a table of the tests that judge each file,
the kinds of faults, and a loop.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
