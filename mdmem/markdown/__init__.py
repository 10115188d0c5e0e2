"""Text to memory and back: read strictly, write only what changed."""
