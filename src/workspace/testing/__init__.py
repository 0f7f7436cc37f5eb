"""What tests of several packages share: fixtures, fakes of other services, and samples.

This file imports nothing, because pytest loads `environment` before the settings.
"""
