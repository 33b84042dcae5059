"""How outcomes are written. Every module here has one function `write(outcomes, new, n_known)`.

`new`: the findings of each outcome that count; `n_known`: how many of each the baseline took away.
"""
