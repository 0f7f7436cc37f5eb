"""Password hashing."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2(Argon2PasswordHasher):
    """Argon2id with the parameters of OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one thread.

    Anyone can try to sign in. With Django's default of 100 MiB and eight threads, a few attackers could overload the
    server.
    """

    memory_cost = 19_456
    time_cost = 2
    parallelism = 1
