"""What answers: search by query, and the brief by budget."""

from __future__ import annotations

from typing import Final

LIMIT: Final = 8
"""Hits of one search, unless another number is asked for."""
