"""Types of the arguments of notice board tools."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from workspace.publishing.shared_item_arguments import Publishing
from workspace.tools.argument_types import Id, Label, Line, Lines

NoticeBoardId = Annotated[Id, Field(description="Notice board ID, from svc_pinboard_list.")]
Title = Annotated[str, Line(80), Label("Title"), Field(description="Heading of the page.")]
Text = Annotated[
    str,
    Lines(5000),
    Label("Text"),
    Field(description="Text of the page. A blank line starts a new paragraph."),
]


class NoticeBoardFields(TypedDict, total=False):
    """The fields that a new and an existing notice board share."""

    text: Text


class NoticeBoardChanges(NoticeBoardFields, Publishing, total=False):
    """The fields of a notice board that can be edited."""

    title: Title
