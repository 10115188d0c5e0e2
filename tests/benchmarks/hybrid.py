"""What a cold search by words and meaning costs, beside an interpreter that does the unavoidable part of it.

    python tests/benchmarks/hybrid.py [--sizes 1000 10000] [--rounds 9]

Prints two Markdown tables. The first holds `mdmem search` against its floor: an interpreter that imports the same
libraries, opens the same model with the same options, embeds the one query, looks at every file, and multiplies the
same matrix with the query. The second says where the floor itself goes, step by step. No watcher runs, and every
vector was made before. Times are as in `startup.py`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from corpus import make_corpus
from startup import READING, SWEEP, cost, environment, used_by_meaning

from mdmem.config import Config
from mdmem.index.vector_files import VECTORS
from mdmem.index.wordpiece import VOCABULARY
from mdmem.project import model_choice

if TYPE_CHECKING:
    from collections.abc import Sequence

QUERY: Final = "the worker sends a retry twice"
IMPORTS: Final = f"""
{READING}, subprocess, tantivy
import os, sys
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
import numpy as np, onnxruntime
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
"""
TOKENIZER: Final = """
tokenizer = Tokenizer(models.WordPiece.from_file(sys.argv[2], unk_token="[UNK]"))
tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
marks = [(mark, tokenizer.token_to_id(mark)) for mark in ("[CLS]", "[SEP]")]
tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=marks)
ids = np.array([tokenizer.encode(sys.argv[4]).ids])
"""
SESSION: Final = """
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
options.log_severity_level = 3
session = onnxruntime.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
"""
QUERYING: Final = """
feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
row = session.run(None, feeds)[0][0].mean(axis=0)
row /= np.linalg.norm(row)
"""
PRODUCT: Final = """
best = np.argsort(np.load(sys.argv[3], mmap_mode="r") @ row)[-8:]
"""
STEPS: Final = (
    ("import the libraries", IMPORTS),
    ("make the tokenizer", TOKENIZER),
    ("open the model", SESSION),
    ("embed the query", QUERYING),
    ("look at every file", SWEEP),
    ("compare with every vector", PRODUCT),
)


def steps(args: Sequence[str], folder: Path, rounds: int) -> list[float]:
    """The least time of each step of the floor in ms, the start of the interpreter first."""
    code = "import time; print(time.process_time())" + "".join(
        f"{code}print(time.process_time())\n" for _, code in STEPS
    )
    best = [float("inf")] * (1 + len(STEPS))
    for _ in range(rounds):
        command = (sys.executable, "-c", code, *args)
        done = subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True, check=True)
        at = [1000 * float(line) for line in done.stdout.split()]
        best = [min(known, end - begin) for known, begin, end in zip(best, [0.0, *at], at, strict=False)]
    return best


def main() -> None:
    """Measure and print both tables, a row a size and a row a step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    model = model_choice(Config()).model
    if model is None:
        raise SystemExit("no model is installed: pip install 'mdmem[model]'")
    python, mdmem, floor = sys.executable, (sys.executable, "-m", "mdmem"), "".join(code for _, code in STEPS)
    columns = []
    print("| command | memories | ms | floor, ms | × floor | × `python -c pass` |\n|---|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as temporary:
        for size in given.sizes:
            folder = Path(temporary) / str(size)
            cache = make_corpus(folder, size) / ".mdmem/cache"
            cost([*mdmem, "sync"], folder)
            args = (str(model.file), str(VOCABULARY), str(next(cache.glob(f"vectors/*/{VECTORS}"))), QUERY)
            others = ((python, "-c", floor, *args), (python, "-c", "pass"))
            rounds = [
                (used_by_meaning((*mdmem, "search", QUERY), folder).cpu, *(cost(other, folder) for other in others))
                for _ in range(given.rounds + 1)
            ]
            taken, bare, nothing = map(min, zip(*rounds[1:], strict=True))
            row = ("search", f"{size:,}", f"{taken:.0f}", f"{bare:.0f}", f"{taken / bare:.2f}")
            print("|", " | ".join((*row, f"{taken / nothing:.1f}")), "|", flush=True)
            column = steps(args, folder, given.rounds)
            columns.append([*column, bare - sum(column)])
    print("\n| step of the floor |", " | ".join(f"ms, {size:,}" for size in given.sizes), "|")
    print("|---|" + "--:|" * len(given.sizes))
    names = ("start the interpreter", *(name for name, _ in STEPS), "end the interpreter")
    for name, *times in zip(names, *columns, strict=True):
        print(f"| {name} |", " | ".join(f"{time:.0f}" for time in times), "|")


if __name__ == "__main__":
    main()
