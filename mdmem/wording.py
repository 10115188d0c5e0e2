"""How many of something, in words."""


def counted(number: int, one: str, many: str = "") -> str:
    """`1 file`, `2 files`, `1,200 memories`: `one` is the singular, `many` the plural where an s does not make it."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
