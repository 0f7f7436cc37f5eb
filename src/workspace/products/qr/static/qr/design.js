// The style editor: colors can also be typed, and sliders show their value.
(() => {
  const HEX = /^#[0-9a-f]{6}$/i;

  function color(line) {
    const picker = line.querySelector("input[type=color]");
    const text = document.createElement("input");
    text.className = "input color-text";
    text.value = picker.value;
    text.maxLength = 7;
    text.spellcheck = false;
    text.setAttribute("aria-label", line.dataset.hexLabel);
    picker.after(text);
    picker.addEventListener("input", () => { text.value = picker.value; });
    text.addEventListener("input", (event) => {
      const value = text.value.trim().startsWith("#") ? text.value.trim() : `#${text.value.trim()}`;
      if (!HEX.test(value)) { event.stopPropagation(); return; }
      picker.value = value;
    });
    text.addEventListener("change", () => { text.value = picker.value; });
  }

  function slider(range) {
    const said = document.createElement("output");
    const tell = () => {
      const value = Number(range.value);
      said.textContent = range.hasAttribute("data-percent") ? `${Math.round(value * 100)} %` : `${value}${range.dataset.unit || ""}`;
    };
    range.after(said);
    range.addEventListener("input", tell);
    tell();
  }

  function prepare(scope) {
    scope.querySelectorAll("[data-color]:not([data-ready])").forEach((line) => { line.dataset.ready = "yes"; color(line); });
    scope.querySelectorAll(".range input:not([data-ready])").forEach((range) => { range.dataset.ready = "yes"; slider(range); });
  }

  document.addEventListener("htmx:load", (event) => prepare(event.target));
  prepare(document);
})();
