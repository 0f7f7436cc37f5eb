"""What a guest has typed into the page that collects, and what is wrong with it by field."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http import HttpRequest

from workspace.products.reviews.arguments import LONGEST_NAME, LONGEST_TEXT
from workspace.products.reviews.leaving import Words
from workspace.products.reviews.models.testimonial import RELATIONSHIPS
from workspace.storage.pictures import MAX_BYTES, Picture, redraw
from workspace.toolkit.errors import Busy
from workspace.toolkit.text import has_controls

STARS = {1: "1 star", 2: "2 stars", 3: "3 stars", 4: "4 stars", 5: "5 stars"}
NAMES = ("rating", "text", "name", "byline", "email", "relationship", "consent")


@dataclass
class Form:
    rating: str = ""
    text: str = ""
    name: str = ""
    byline: str = ""
    email: str = ""
    relationship: str = "customer"
    consent: str = ""
    photo: Picture | None = None
    busy: Busy | None = None  # the photo could not be looked at for now
    problems: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, request: HttpRequest, *, with_photo: bool = True) -> Form:
        """`with_photo`: whether to look at the photo too, which costs some time."""
        form = cls()
        for name in NAMES:
            setattr(form, name, request.POST.get(name, "").strip())
        form.text = form.text.replace("\r\n", "\n").replace("\r", "\n")
        form.relationship = form.relationship or "customer"
        form._check_words()
        form._check_writer()
        if with_photo:
            form._take_photo(request)
        return form

    @property
    def words(self) -> Words:
        """Only of a form without problems."""
        return Words(
            rating=int(self.rating),
            text=self.text,
            name=self.name,
            byline=self.byline,
            email=self.email,
            relationship=self.relationship,
            consented=bool(self.consent),
        )

    def _check_words(self) -> None:
        if self.rating not in {str(number) for number in STARS}:
            self.problems["rating"] = "Choose one to five stars"
        if not self.text:
            self.problems["text"] = "Write a few words, please"
        elif len(self.text) > LONGEST_TEXT:
            self.problems["text"] = f"At most {LONGEST_TEXT:,} characters, please: these are {len(self.text):,}"
        elif has_controls(self.text, multiline=True) or "\0" in self.text:
            self.problems["text"] = "Plain text, please, without control characters"

    def _check_writer(self) -> None:
        if not self.name:
            self.problems["name"] = "Tell us your name, or a part of it"
        for name, text in (("name", self.name), ("byline", self.byline)):
            if len(text) > LONGEST_NAME:
                self.problems[name] = f"At most {LONGEST_NAME} characters, please"
            elif has_controls(text):
                self.problems[name] = "Plain text on one line, please"
        if self.email:
            try:
                validate_email(self.email)
            except ValidationError:
                self.problems["email"] = "This is not an e-mail address; you may leave it empty"
            if len(self.email) > 254:
                self.problems["email"] = "This address is too long; you may leave it empty"
        if self.relationship not in RELATIONSHIPS:
            self.problems["relationship"] = "Choose one of these"

    def _take_photo(self, request: HttpRequest) -> None:
        """Drawn anew here, before any transaction: upright, smaller, without metadata."""
        file = request.FILES.get("photo")
        if file is None or not file.size:
            return
        try:
            if file.size > MAX_BYTES:
                raise ValueError(f"A photo may have up to {MAX_BYTES // 1024 // 1024} MB")
            self.photo = redraw(file.read())
        except ValueError as problem:
            self.problems["photo"] = f"{problem}. You may leave it out."
        except Busy as busy:
            self.busy = busy
            self.problems["photo"] = "Many photos come in just now. Choose it again in a moment, or leave it out."
