"""URLs of the owners' pages of forms."""

from __future__ import annotations

from django.urls import path

from workspace.dashboard.compressible_pages import mark_compressible
from workspace.dashboard.item_urls import build_item_urls
from workspace.products.form.dashboard import (
    build_views,
    design_views,
    list_views,
    logic_views,
    manual_response_views,
    question_views,
    response_views,
)
from workspace.products.form.dashboard.item_layout import LAYOUT

urlpatterns = [
    path("", list_views.forms, name="forms"),
    path("/new", list_views.new, name="form-new"),
    path("/<str:id>/preview", build_views.preview),  # replaces the preview of the item layout
    *build_item_urls(
        LAYOUT,
        {
            "": build_views.edit,
            "look": design_views.design,
            "responses": response_views.responses,
        },
    ),
    path("/<str:id>/responses/read", response_views.mark_all_as_read),
    path("/<str:id>/responses/add", manual_response_views.add_response),
    path("/<str:id>/share/link", manual_response_views.prefilled_link),
    path("/<str:id>/responses/export", response_views.export),
    path("/<str:id>/responses/<str:response>", response_views.response),
    path("/<str:id>/responses/<str:response>/mark", response_views.mark_response),
    path("/<str:id>/responses/<str:response>/delete", response_views.delete),
    path("/<str:id>/logic", logic_views.logic),
    path("/<str:id>/logic/try", logic_views.try_form),
    path("/<str:id>/logic/questions/<str:key>", logic_views.edit_rule),
    path("/<str:id>/logic/required/<str:key>", logic_views.edit_rule, {"part": "required"}),
    path("/<str:id>/logic/pages/<str:part>", logic_views.edit_jumps),
    path("/<str:id>/order", build_views.reorder),
    path("/<str:id>/pages", build_views.add_page),
    path("/<str:id>/pages/<str:part>", build_views.edit_page),
    path("/<str:id>/pages/<str:part>/join", build_views.merge_page),
    path("/<str:id>/add", question_views.new),
    path("/<str:id>/questions/<str:key>", question_views.edit),
    path("/<str:id>/questions/<str:key>/label", question_views.rename),
    path("/<str:id>/questions/<str:key>/duplicate", question_views.duplicate),
    path("/<str:id>/questions/<str:key>/remove", question_views.remove),
    path("/<str:id>/questions/<str:key>/<str:direction>", build_views.move),
]
mark_compressible(urlpatterns)
