"""Compiled code for `strong`: the game, its rules of thumb and worlds over rows of integers, by numba."""
