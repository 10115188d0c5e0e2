"""numpy, with one thread: the only module that loads it.

Its library for products of matrices starts a thread for each core when it is loaded, which takes longer than all that
is multiplied here; and where the cores are busy, threads that wait for each other take many times as long as one.
"""

from __future__ import annotations

import os
from typing import Final

THREADS: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""What such libraries ask, once, when they are loaded."""

_own = {name: os.environ.get(name) for name in THREADS}
os.environ.update(dict.fromkeys(THREADS, "1"))

import numpy as np  # noqa: E402 - it asks them while it is loaded

for _name, _value in _own.items():  # what we start ourselves is none of our business
    if _value is None:
        del os.environ[_name]
    else:
        os.environ[_name] = _value

__all__ = ["np"]
