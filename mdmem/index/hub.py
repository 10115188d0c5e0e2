"""Fetching the model from Hugging Face: the only module that knows its hub, and the only one that uses a network."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from huggingface_hub import get_hf_file_metadata, hf_hub_download, hf_hub_url
from huggingface_hub.errors import HTTPError  # type: ignore[attr-defined]  # of whatever client it uses

from mdmem.index.pull import FILE, REPOSITORY, REVISION, unreachable

SECONDS: Final = 10.0
"""How long the hub may take to answer at all."""


def fetch(folder: Path) -> Path:
    """Download the pinned model file into a folder, in one attempt. Raises ModelError with what else to do."""
    try:
        # asks once and does not try again, as the download itself would for half a minute
        get_hf_file_metadata(hf_hub_url(REPOSITORY, FILE, revision=REVISION), token=False, timeout=SECONDS)
        return Path(hf_hub_download(REPOSITORY, FILE, revision=REVISION, local_dir=folder, token=False))
    except (OSError, HTTPError) as error:
        raise unreachable(str(error)) from error
