"""Small faults put into the code one at a time: do the tests notice?

It is code of its own because neither of the well-kept tools fits. mutmut 3 changes functions alone, choosing
among copies of them at run time: faults in a module's constants, in which half of a renderer is told, and in
compiled kernels are beyond it. cosmic-ray starts an interpreter and the same tests for every fault, which
takes seconds to load what is forked here. Neither draws a sample that stays the same for the same code. What
is ours is a table of which tests judge which file, the kinds of faults, and a loop.
"""
