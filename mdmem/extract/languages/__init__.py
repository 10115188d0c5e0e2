"""One table of patterns per language: how people correct, decide, rule and take back."""
