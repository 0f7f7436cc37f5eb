"""The commands of `svc` itself, with one module each, which is imported when the command runs."""
