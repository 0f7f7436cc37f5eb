"""People who sign in. Their data belongs to accounts, which they access through memberships."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models

from workspace.lib import clock


class PersonManager(BaseUserManager["Person"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> Person:
        """Create a person. Without a password, they sign in with a link."""
        person = self.model(email=email.strip().lower(), **fields)
        person.set_password(password)
        person.save(using=self._db)
        return person

    def get_by_natural_key(self, username: str | None) -> Person:
        return self.get(email=(username or "").strip().lower())


class Person(AbstractBaseUser):
    email = models.EmailField(unique=True, max_length=254)
    name = models.CharField(max_length=120, blank=True)
    is_active = models.BooleanField(default=True)
    is_operator = models.BooleanField(default=False)  # administrator of this instance
    created_at = models.DateTimeField(default=clock.now)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects = PersonManager()

    def __str__(self) -> str:
        return self.email
