"""The store: a folder of memory files and its MEMORY.md; what is read, written and reported there."""
