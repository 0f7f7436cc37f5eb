"""The commands of `svc` itself, one module each, imported when they run."""
