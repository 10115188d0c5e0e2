"""File names and ids that every system can hold."""

from __future__ import annotations

import os
import re
import secrets
import unicodedata
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from mdmem.markdown.parse import encoded_id
from mdmem.store.scan import RESERVED_FILES, name_key

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

SLUG_LENGTH: Final = 50
DEVICE_NAMES: Final = frozenset({"con", "prn", "aux", "nul", *(f"{d}{i}" for d in ("com", "lpt") for i in range(10))})
_LETTERS: Final = str.maketrans(
    {"ß": "ss", "æ": "ae", "ø": "o", "œ": "oe", "ð": "d", "þ": "th", "ł": "l", "đ": "d", "ı": "i", "&": " and "}
)


def slug(title: str) -> str:
    """A file stem for a title: ASCII, lower case, words joined by hyphens, at most 50 characters.

    So short that the memory's line in MEMORY.md has room for more than the path.
    Never empty, never a Windows device name, never the name of a file that is no memory. The same title always
    gives the same slug; a title without Latin letters gives one from its hash.
    """
    text = unicodedata.normalize("NFKD", title.lower().translate(_LETTERS))
    words = re.findall(r"[a-z0-9]+", "".join(c for c in text if not unicodedata.combining(c)).replace("'", ""))
    stem = ""
    for word in words:
        longer = f"{stem}-{word}" if stem else word[:SLUG_LENGTH]
        if len(longer) > SLUG_LENGTH:
            break
        stem = longer
    if not stem:
        stem = f"memory-{encoded_id(int.from_bytes(sha256(title.encode('utf-8', 'surrogatepass')).digest()[:5]))}"
    if stem in DEVICE_NAMES or f"{stem}.md" in RESERVED_FILES or stem == "readme":
        stem += "-memory"
    return stem


def names_in(root: Path, folder: str) -> set[str]:
    """The name keys of all that lies in a folder at the store's root, whatever the case of its name."""
    with os.scandir(root) as entries:
        folders = [entry.name for entry in entries if name_key(entry.name) == folder and entry.is_dir()]
    return {name_key(f"{folder}/{path.name}") for found in folders for path in (root / found).iterdir()}


def free_path(folder: str, title: str, taken: Collection[str]) -> str:
    """The path of a new file in `folder`, equal to none of the `taken` name keys (see `name_key`)."""
    stem = slug(title)
    number, path = 1, f"{folder}/{stem}.md"
    while name_key(path) in taken:
        number += 1
        path = f"{folder}/{stem}-{number}.md"
    return path


def new_id(taken: Collection[str]) -> str:
    """8 random base32 characters that are no other memory's id."""
    while (made := encoded_id(secrets.randbits(40))) in taken:
        pass
    return made
