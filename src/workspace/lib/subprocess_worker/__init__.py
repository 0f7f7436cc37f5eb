"""Work in a subprocess, with limited memory and time.

It is for untrusted input and slow work, so that these cannot crash this process.
"""
