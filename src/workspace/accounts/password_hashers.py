"""How passwords are hashed."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2(Argon2PasswordHasher):
    """Argon2id as OWASP's Password Storage Cheat Sheet recommends it: 19 MiB, two passes, one lane. Anybody may have a
    guess checked, and Django's 100 MiB in eight threads let a few guessers take the whole machine."""

    memory_cost = 19_456
    time_cost = 2
    parallelism = 1
