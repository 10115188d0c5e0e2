"""onnxruntime, quiet: its official builds report use to their maker over the network unless that is switched off.

It has to be off before the library is loaded, so this is the only module that loads it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

os.environ["ORT_DISABLE_TELEMETRY"] = "1"

from onnxruntime import InferenceSession, SessionOptions, disable_telemetry_events
from onnxruntime.capi import onnxruntime_pybind11_state as ort_errors

if TYPE_CHECKING:
    from pathlib import Path

disable_telemetry_events()

__all__ = ["FAILURES", "InferenceSession", "SessionOptions", "open_session"]

ERRORS_ONLY: Final = 3
"""Its own warnings stay off stderr; its errors come as exceptions."""
FAILURES: Final = (
    ort_errors.Fail,
    ort_errors.InvalidArgument,
    ort_errors.InvalidGraph,
    ort_errors.InvalidProtobuf,
    ort_errors.NoSuchFile,
    ort_errors.NotImplemented,
    ort_errors.RuntimeException,
)
"""What loading or running a model may raise."""


def open_session(file: Path) -> InferenceSession:
    """A model, ready to run on the CPU with one thread a run. Raises one of `FAILURES`."""
    options = SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = ERRORS_ONLY
    return InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
