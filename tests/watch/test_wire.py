"""What goes over the socket comes out the same, and the short reading of a command line agrees with the long one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem import wire

words = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))


@given(st.lists(words), st.dictionaries(words.filter(lambda name: name and "=" not in name), words), st.binary())
def test_a_request_comes_out_as_it_went_in(args: list[str], environ: dict[str, str], stdin: bytes) -> None:
    sent = wire.Request("1 /mdmem", args, "/a/b", environ, (True, False), "utf-8", "strict", stdin)
    head, _, data = sent.as_bytes().partition(b"\n")
    word, fields, rest = head.split()
    assert (word, int(fields) + int(rest)) == (b"mdmem", len(data))
    got = wire.read_request(data[: int(fields)], data[int(fields) :])
    assert [getattr(got, name) for name in wire.Request.__slots__] == [
        getattr(sent, name) for name in wire.Request.__slots__
    ]


def test_names_that_are_no_text_survive() -> None:
    name = os.fsdecode(b"caf\xe9")
    sent = wire.Request("1", [name], f"/{name}", {"A": name})
    got = wire.read_request(sent.as_bytes().partition(b"\n")[2], b"")
    assert (got.args, got.cwd, got.environ) == ([name], f"/{name}", {"A": name})


@pytest.mark.parametrize(
    "data", [b"", b"1\0/", b"1\0/\x0000\0utf-8\0strict\0many", b"1\0/\x0000\0utf-8\0strict\x000\0x"]
)
def test_what_is_no_request_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):
        wire.read_request(data, b"")


@given(st.lists(st.tuples(st.integers(1, 2), st.binary())))
def test_pieces_of_an_answer_keep_their_order(pieces: list[tuple[int, bytes]]) -> None:
    data = wire.answer_bytes(3, pieces)
    head, _, body = data[1:].partition(b"\n")
    assert (data[:1], head) == (wire.ANSWERED, b"3 %d" % len(body))
    assert list(wire.pieces_of(body)) == pieces


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("search pool", "search"),
        ("-d memory brief", "brief"),
        ("--dir=memory --as agent -p search -k 3", "search"),
        ("--as=agent list", "list"),
        ("--help search", None),
        ("-pd memory search", None),
        ("", None),
        ("-d", None),
    ],
)
def test_the_command_is_found_behind_global_options(line: str, command: str | None) -> None:
    assert wire.command_of(line.split()) == command


def test_the_folder_is_that_of_the_option_then_of_the_variable() -> None:
    assert wire.folder_of(["search", "--dir"], {}) == str(Path.cwd())
    assert wire.folder_of(["search"], {"MDMEM_DIR": "/a"}) == "/a"
    assert wire.folder_of(["-d", "/b", "search"], {"MDMEM_DIR": "/a"}) == "/b"
    assert wire.folder_of(["--dir=c", "search", "-d", "x"], {}) == str(Path.cwd() / "c")


def test_sockets_lie_where_the_session_keeps_such_things(hermetic: Path) -> None:
    state = str(hermetic / ".local/state/mdmem/run")
    assert wire.socket_folders(os.environ) == [state]
    assert wire.socket_folders(os.environ | {"XDG_RUNTIME_DIR": "/run/user/1"}) == ["/run/user/1/mdmem", state]


@pytest.mark.parametrize(("mode", "is_private"), [(0o700, True), (0o750, False), (0o701, False)])
def test_only_a_folder_of_the_user_alone_is_private(tmp_path: Path, mode: int, is_private: bool) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    folder.chmod(mode)
    assert wire.is_private(str(folder)) is is_private
    assert not wire.is_private(str(tmp_path / "none"))
    (tmp_path / "link").symlink_to(folder)
    assert not wire.is_private(str(tmp_path / "link"))
