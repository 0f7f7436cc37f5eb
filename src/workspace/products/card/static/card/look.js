// The colours beside the picker: a tap takes one.
(() => {
  const swatches = document.querySelector(".bc-swatches");
  const picker = document.querySelector(".bc-colour input[type=color]");
  if (!swatches || !picker) return;
  swatches.hidden = false;
  swatches.addEventListener("click", (event) => {
    const button = event.target.closest("[data-colour]");
    if (!button) return;
    picker.value = button.dataset.colour;
    picker.dispatchEvent(new Event("input", { bubbles: true }));
  });
})();
