// What drawing adds to the form, which works by typing: who draws need not type as well, and where only a drawing is
// taken the pad is open at once.
(() => {
  const box = document.querySelector(".signing");
  const typed = box.querySelector("#typed"), draw = box.querySelector("[data-draw]");
  if (typed) {
    draw.addEventListener("click", () => { typed.required = false; });
    box.querySelector("[data-clear]").addEventListener("click", () => { typed.required = true; typed.focus(); });
  } else if (!draw.hidden) draw.click();
})();
