// What drawing adds to the form, which also works by typing: people who draw need not type, and if only a drawing is
// accepted, the pad is open from the start.
(() => {
  const box = document.querySelector(".signing");
  const typed = box.querySelector("#typed"), draw = box.querySelector("[data-draw]");
  if (typed) {
    draw.addEventListener("click", () => { typed.required = false; });
    box.querySelector("[data-clear]").addEventListener("click", () => { typed.required = true; typed.focus(); });
  } else if (!draw.hidden) draw.click();
})();
