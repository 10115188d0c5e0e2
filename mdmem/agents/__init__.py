"""Setting up agents, and what comes from them and goes to them: installers, import, export. Text in, text out."""
