"""Tools, their arguments and their answers, for all channels."""
