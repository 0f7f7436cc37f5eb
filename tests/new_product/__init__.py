"""Tests of `bin/new-product`: generated products work, and refused calls write nothing."""
