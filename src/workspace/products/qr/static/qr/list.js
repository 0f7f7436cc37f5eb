// Selecting codes: how many are selected, all of them, none of them.
(() => {
  const boxes = () => [...document.querySelectorAll("input[type=checkbox][name=id]")];
  function tell() {
    const count = boxes().filter((box) => box.checked).length;
    document.querySelectorAll("[data-picked]").forEach((label) => {
      label.textContent = count === 0 ? label.dataset.none : label.dataset.some.replace("{count}", String(count));
    });
  }
  document.querySelectorAll("[data-pick-all], [data-pick-none]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => {
      boxes().forEach((box) => { box.checked = button.hasAttribute("data-pick-all"); });
      tell();
    });
  });
  document.addEventListener("change", (event) => { if (event.target.name === "id") tell(); });
  document.addEventListener("htmx:afterSettle", tell);
  tell();
})();
