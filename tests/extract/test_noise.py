"""Faults and wishes put as plain facts: how rules sound, and not what lasts."""

from __future__ import annotations

import pytest

from support.noise import REPORTS, RULES, SPECS
from support.speech import rule, talk


@pytest.mark.parametrize("text", REPORTS)
def test_a_fault_that_is_reported_is_no_rule(text: str) -> None:
    assert talk(text) == ""


@pytest.mark.parametrize("text", SPECS)
def test_what_the_work_at_hand_must_do_is_no_rule(text: str) -> None:
    assert talk(text) == ""


@pytest.mark.parametrize("text", RULES)
def test_rules_that_sound_alike_are_found(text: str) -> None:
    assert rule(text, "en")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Never touch the vendored files", "Leave the vendored files alone"),
        ("never commit generated files", "Avoid committing generated files"),
        ("Never write to production from a notebook", "Avoid writing to production from a notebook"),
        ("Never push tags from a laptop", "Avoid pushing tags from a laptop"),
        ("Never mock the database, use testcontainers", "Never mock the database, use testcontainers"),
        ("never load more than 200 containers in one batch", "Load at most 200 containers in one batch"),
    ],
)
def test_a_mere_ban_says_what_to_avoid(text: str, title: str) -> None:
    assert rule(text, "en") == title
