"""Labels of arguments: forms have them, published schemas do not."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from workspace.tools.answer import Answer
from workspace.tools.argument_types import Label, Line
from workspace.tools.tool import Toolbox

Phone = Annotated[str, Line(40), Label("Phone"), Field(description="With its country code")]


class Extra(TypedDict):
    number: Annotated[Phone, Field(min_length=1), Label("Another phone")]


box = Toolbox("demo", "Demo")


@box.tool("svc_demo_edit", title="Edit", about="Edit.")
def edit(
    account: Any, phone: Phone, more: Annotated[list[Extra], Label("More numbers")] | None = None
) -> Answer[Extra]:
    raise NotImplementedError


def test_a_form_knows_the_label_of_an_argument() -> None:
    phone = edit.form_schema["properties"]["phone"]
    assert phone["x-label"] == "Phone"
    assert phone["description"] == "With its country code"
    assert edit.form_schema["properties"]["more"]["x-label"] == "More numbers"


def test_the_last_label_counts() -> None:
    assert edit.form_schema["$defs"]["Extra"]["properties"]["number"]["x-label"] == "Another phone"


def test_published_schemas_have_no_labels() -> None:
    assert "x-label" not in str(edit.input_schema) + str(edit.output_schema)
    assert edit.input_schema["properties"].keys() == edit.form_schema["properties"].keys()
