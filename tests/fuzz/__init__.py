"""Damaged and made-up inputs: everything that reads files, bytes or requests, given thousands of them.

    python -m tests.fuzz [KIND...] --mutations 10000 --seed 1      all kinds, or some
    python -m tests.fuzz positions --seed 1 --only 4711            one input again, shown whole

A kind is a module of this package with

    mutate(rng) -> data            one input; the same for the same generator
    check(data, folder) -> str     "accepted" or "refused"

`check` gives the data to the project. An error of the project's own means "refused"; any other exception is
a failure. Of what is accepted it asserts that nothing impossible came in. A module may have `warm(folder)`, which
compiles and loads what the first input would otherwise wait for.

Inputs are checked in a child process (`child`), which the driver (`driver`) watches: 2 seconds of processor
time for an input, 1 GiB of memory more than at the start.
"""
