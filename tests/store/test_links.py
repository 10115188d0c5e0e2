"""Links between memories: which count, and where they lead."""

from __future__ import annotations

import pytest

from mdmem.store.links import iter_links, names_of, resolve
from support.memories import draft

BODY = """\
See [[pool]] and [the broker](../decision/b%20c.md#why), not `[[code]]` nor [web](https://example.org/x.md).
An ![image](a.md), [an anchor](#x), [elsewhere](/etc/x.md), [a text](x.txt), [angled](<a (b).md>).

```
[[fenced]]
```
[[Use make check|the rule]] [[pool#part]]
"""


def test_links_that_could_lead_to_a_memory() -> None:
    found = [(link.line, link.target) for link in iter_links(BODY, 10)]
    assert found == [
        (10, "pool"),
        (10, "../decision/b c.md"),
        (11, "a (b).md"),
        (16, "Use make check"),
        (16, "pool"),
    ]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("[[pool]]", "lesson/pool.md"),
        ("[[POOL]]", "lesson/pool.md"),
        ("[[lesson/pool.md]]", "lesson/pool.md"),
        ("[[Keep the pool small]]", "lesson/pool.md"),
        ("[[idpool]]", "lesson/pool.md"),
        ("[[agent-name]]", "decision/b c.md"),
        ("[[no such]]", None),
        ("[x](pool.md)", "lesson/pool.md"),
        ("[x](./pool.md)", "lesson/pool.md"),
        ("[x](../decision/b%20c.md)", "decision/b c.md"),
        ("[x](../../outside.md)", None),
        ("[x](decision/pool.md)", None),
    ],
)
def test_where_a_link_leads(text: str, path: str | None) -> None:
    names = names_of({
        "lesson/pool.md": draft("Keep the pool small", id="idpool"),
        "decision/b c.md": draft("B", extra=(("name", "agent-name"),)),
    })  # fmt: skip
    (link,) = iter_links(text)
    assert resolve(link, "lesson/here.md", names) == path
