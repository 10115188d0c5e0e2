"""Rename a memory's file and every link that leads to it: a plan over several files."""

from __future__ import annotations

import posixpath
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from mdmem import disk
from mdmem.errors import MdmemError
from mdmem.markdown.patch import patch
from mdmem.store.journal import Action
from mdmem.store.links import iter_links, names_of, resolve
from mdmem.store.naming import free_path
from mdmem.store.scan import is_memory_path, name_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mdmem.store.links import Link
    from mdmem.store.store import Store
    from mdmem.store.table import StoredMemory


def plan_move(store: Store, one: StoredMemory, target: str) -> list[Action]:
    """The file under its new path, and the links of the other memories rewritten.

    `target` is a path relative to the store, a folder (`lesson/`), or '' for the folder of the memory's type.
    Raises MdmemError when the target is taken or is no place for a memory.
    """
    path = _target(store, one, target)
    stored = [other for other in store.load() if other.is_readable]
    names = names_of({other.path: other.memory for other in stored})
    moved = _own_links(store, one, path, names)
    actions = [Action(path, moved, None), Action(one.path, None, one.etag)]
    for other in stored:
        if other.path != one.path:
            actions += _relinked(store, other, one.path, path, names)
    return actions


def _target(store: Store, one: StoredMemory, target: str) -> str:
    name = PurePosixPath(one.path).name
    path = posixpath.normpath(target or f"{one.memory.type}/")
    if not target or target.endswith("/") or (store.root / path).is_dir():
        path = posixpath.join(path, name)
    if not path.endswith(".md"):
        path += ".md"
    if path == one.path:
        raise MdmemError(f"{path} is there already", "name another place")
    if path.startswith(("../", "/")) or not is_memory_path(path):
        raise MdmemError(f"{path} is no place for a memory", "a path inside the store that ends in .md")
    if name_key(path) != name_key(one.path) and (store.root / path).exists():
        stem = PurePosixPath(path)
        free = free_path(str(stem.parent), stem.stem, {name_key(other.path) for other in store.load()})
        raise MdmemError(f"{path} is taken", f"{free} is free")
    return path


def _own_links(store: Store, one: StoredMemory, path: str, names: Mapping[str, str]) -> bytes:
    """The memory's bytes with its relative links as they read from the new folder."""
    body = one.memory.body
    for link in list(iter_links(body)):
        found = None if link.is_wiki else resolve(link, one.path, names)
        if found:
            body = _replaced(body, link, posixpath.relpath(found, posixpath.dirname(path) or "."))
    document = store.document(one.path)
    if body != one.memory.body:
        return patch(document, {}, body)
    return disk.read(store.root / one.path)


def _relinked(store: Store, other: StoredMemory, old: str, new: str, names: Mapping[str, str]) -> Sequence[Action]:
    body = other.memory.body
    for link in list(iter_links(body)):
        if resolve(link, other.path, names) != old:
            continue
        if not link.is_wiki:
            body = _replaced(body, link, posixpath.relpath(new, posixpath.dirname(other.path) or "."))
        elif name_key(link.target) in (
            name_key(old),
            name_key(old.removesuffix(".md")),
            name_key(PurePosixPath(old).stem),
        ):
            body = _replaced(body, link, PurePosixPath(new).stem)
    return store.planned_change(other, {}, body)[1] if body != other.memory.body else []


def _replaced(body: str, link: Link, target: str) -> str:
    lines = body.split("\n")
    line = lines[link.line - 1]
    if link.is_wiki:
        line = line.replace(f"[[{link.target}", f"[[{target}")
    else:
        quoted = f"<{target}>" if any(c in target for c in " ()") else target
        for written in (f"](<{link.target}>", f"]({link.target}", f"]({link.target.replace(' ', '%20')}"):
            line = line.replace(written, f"]({quoted}")
    lines[link.line - 1] = line
    return "\n".join(lines)
