"""A bug's traceback, kept where its message can point to."""

from __future__ import annotations

import platform
import traceback

from mdmem import __version__, disk
from mdmem.config import log_folder
from mdmem.errors import MdmemError


def log_bug() -> str:
    """Write the traceback, with versions, where it can be sent from; the place, or the last line if none can be had."""
    text = f"mdmem {__version__}, Python {platform.python_version()}, {platform.platform()}\n{traceback.format_exc()}"
    path = log_folder() / "bug.log"
    try:
        disk.make_folder(path.parent)
        disk.write(path, text.encode("utf-8", "replace"))
    except MdmemError:
        return text.strip().splitlines()[-1]
    return str(path)
