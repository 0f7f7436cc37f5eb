// The colours beside the picker: a tap takes one, and a colour of its own is no longer the brand's.
(() => {
  const swatches = document.querySelector(".colour-swatches");
  const picker = document.querySelector(".colour-pick input[type=color]");
  if (!swatches || !picker) return;
  const brand = document.querySelector("input[type=checkbox][name=colour]");
  picker.addEventListener("input", () => { if (brand) brand.checked = false; });
  swatches.hidden = false;
  swatches.addEventListener("click", (event) => {
    const button = event.target.closest("[data-colour]");
    if (!button) return;
    picker.value = button.dataset.colour;
    picker.dispatchEvent(new Event("input", { bubbles: true }));
  });
})();
