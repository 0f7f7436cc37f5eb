from __future__ import annotations

from django.urls import path

from workspace.products.form.dashboard import files, forms, responses
from workspace.products.form.dashboard.frame import FRAME

urlpatterns = [
    path("", forms.forms, name="forms"),
    path("/new", forms.new, name="form-new"),
    path("/<str:id>/files/<str:file>", files.file, name="form-file"),
    *FRAME.addresses({"": forms.edit, "responses": responses.responses}),
]
