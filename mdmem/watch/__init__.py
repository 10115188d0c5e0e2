"""The watcher: looks again when files change, and answers from what it holds open. Nothing depends on it but speed."""
