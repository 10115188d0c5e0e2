"""A writer that is killed leaves nothing to mend: whoever comes next answers from the files."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from mdmem.index.index import Index
from mdmem.store.store import Store
from support.memories import make_store, write_memory
from support.source import ROOT

if TYPE_CHECKING:
    from pathlib import Path

REFRESH = """\
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from mdmem.index.index import Index
from mdmem.store.store import Store
index = Index(Store(Path(sys.argv[1])))
print("ready", flush=True)
sys.stdin.readline()
for _ in range(1000):
    index.rebuild()
"""


@pytest.mark.parametrize("milliseconds", [1, 5, 12, 25, 60])
def test_a_killed_writer(tmp_path: Path, milliseconds: int) -> None:
    root = make_store(tmp_path / "memory").root
    for n in range(30):
        write_memory(root, f"lesson/m{n}.md", f"Pool {n}", "worker " * 50)
    with subprocess.Popen(
        [sys.executable, "-c", REFRESH, str(root), str(ROOT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        writer.stdout.readline()
        writer.stdin.write(b"go\n")
        writer.stdin.flush()
        with pytest.raises(subprocess.TimeoutExpired):
            writer.wait(milliseconds / 1000)
        writer.kill()
    write_memory(root, "lesson/m0.md", "Zebra")
    index = Index(Store(root))
    view = index.refresh()
    assert view.generation
    assert len(view.etags) == 30
    assert len([path for path in index.root.iterdir() if path.is_dir()]) <= 2
