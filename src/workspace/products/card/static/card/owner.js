// What script adds to a card's form: what was just added is where one types.
document.addEventListener("toggle", (event) => {
  const added = event.target;
  if (added instanceof HTMLDetailsElement && added.open && added.matches(".bc-add")) requestAnimationFrame(() => added.querySelector("input:not([type=hidden]), textarea").focus());
}, true);
