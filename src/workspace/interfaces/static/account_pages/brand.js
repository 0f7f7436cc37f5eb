// A color picker beside each typed color. Each follows the other.
(() => {
  const texts = document.currentScript.dataset;
  for (const text of document.querySelectorAll(".bd-color > input")) {
    const picker = document.createElement("input");
    picker.type = "color";
    picker.className = "input";
    picker.setAttribute("aria-label", texts.pickColor.replace("%(label)s", text.labels[0].firstChild.textContent.trim()));
    const follow = () => { picker.value = /^#[0-9a-f]{6}$/i.test(text.value.trim()) ? text.value.trim() : text.placeholder; };
    follow();
    text.addEventListener("input", follow);
    picker.addEventListener("input", () => {
      text.value = picker.value;
      text.dispatchEvent(new Event("input", { bubbles: true }));
    });
    text.before(picker);
  }
})();
