// The colors beside the color picker: a tap selects one, and a custom color replaces the brand's.
(() => {
  const swatches = document.querySelector(".color-swatches");
  const picker = document.querySelector(".color-pick input[type=color]");
  if (!swatches || !picker) return;
  const brand = document.querySelector("input[type=checkbox][name=color]");
  picker.addEventListener("input", () => { if (brand) brand.checked = false; });
  swatches.hidden = false;
  swatches.addEventListener("click", (event) => {
    const button = event.target.closest("[data-color]");
    if (!button) return;
    picker.value = button.dataset.color;
    picker.dispatchEvent(new Event("input", { bubbles: true }));
  });
})();
