// Counts the characters of a long text and rejects it, because the browser's own limit would cut a pasted text
// silently.
(() => {
  const KINDS = "textarea[maxlength], input[maxlength]:not([type]), input[type=text][maxlength], input[type=email][maxlength], input[type=url][maxlength], input[type=tel][maxlength]";
  const SHORT = 20; // such as a time or a code: reaching the limit is right there, so only text that is too long is
                    // counted
  const echoes = new WeakMap();
  const isNear = (length, most) => length > (most < SHORT ? most : most * 0.9);
  function count(field) {
    const most = Number(field.dataset.most), length = [...field.value].length, isOver = length > most;
    field.setCustomValidity(isOver ? `${length} / ${most}` : "");
    if (isOver) field.setAttribute("aria-invalid", "true");
    else if (echoes.get(field)?.dataset.over) field.removeAttribute("aria-invalid");
    if (!echoes.has(field)) {
      if (!isNear(length, most)) return;
      const made = document.createElement("output");
      made.className = "field-echo help";
      (field.closest(".with-unit") || field).after(made);
      echoes.set(field, made);
    }
    const echo = echoes.get(field);
    echo.textContent = isNear(length, most) ? `${length} / ${most}` : "";
    echo.dataset.over = isOver ? "yes" : "";
  }
  function watch(scope) {
    scope.querySelectorAll(KINDS).forEach((field) => {
      field.dataset.most = field.getAttribute("maxlength");
      field.removeAttribute("maxlength");
      if (isNear(field.value.length, Number(field.dataset.most))) count(field);
    });
  }
  document.addEventListener("input", (event) => { if (event.target.dataset?.most) count(event.target); });
  document.addEventListener("htmx:load", (event) => watch(event.target.parentElement || document));
  watch(document);
})();
