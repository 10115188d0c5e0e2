"""WordPiece as BERT (uncased) does it, made from the vocabulary that comes with mdmem.

It gives the ids of the `tokenizer.json` that is published with all-MiniLM-L6-v2, for any text; but for padding and
length, which that file sets to 128 and the embedder sets itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

VOCABULARY: Final = Path(__file__).parents[1] / "data/bert-base-uncased/vocab.txt"
VOCABULARY_SHA256: Final = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
SPECIAL: Final = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
"""Markers: where a text holds one, it is that marker and nothing else."""


def bert_tokenizer() -> Tokenizer:
    """A tokenizer without padding and without a limit on length."""
    tokenizer = Tokenizer(models.WordPiece.from_file(str(VOCABULARY), unk_token="[UNK]"))  # noqa: S106 - no password
    tokenizer.normalizer = normalizers.BertNormalizer(
        clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True
    )
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    marks = [(mark, tokenizer.token_to_id(mark)) for mark in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=marks)
    tokenizer.add_special_tokens(list(SPECIAL))
    return tokenizer
