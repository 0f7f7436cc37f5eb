// One question at a time, with the keyboard and fewer taps: A, B, C choose if there is a keyboard, digits give points,
// and choosing one of several options with a finger or a letter continues. Back returns, and nothing is submitted
// automatically.
const form = document.querySelector("form[data-single]");
const button = form?.querySelector("[data-send]");
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const SOON = 300; // milliseconds for people to see their choice

if (form) {
  const hasKeys = matchMedia("(hover: hover) and (pointer: fine)").matches;
  const boxes = [...form.querySelectorAll(".fm-group")];
  let touched = -Infinity, waiting = 0;

  if (hasKeys) {
    for (const box of boxes.filter((one) => one.dataset.how === "choice")) {
      choices(box).slice(0, LETTERS.length).forEach((input, place) => {
        const key = Object.assign(document.createElement("kbd"), { className: "fm-key", textContent: LETTERS[place] });
        key.setAttribute("aria-hidden", "true");
        input.after(key);
      });
    }
  }

  document.addEventListener("turned", () => form.closest("main").classList.add("fm-begun"), { once: true });
  form.addEventListener("pointerdown", () => { clearTimeout(waiting); touched = performance.now(); });
  form.addEventListener("change", ({ target }) => { if (performance.now() - touched < 1000) onward(target); });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey || event.isComposing) return;
    if (event.key === "Enter" && event.ctrlKey && event.target.matches?.("textarea")) { form.requestSubmit(button); return; }
    if (event.ctrlKey || event.target.matches?.("input:not([type=radio], [type=checkbox]), textarea, select")) return;
    const box = event.target.closest?.(".fm-group"); // if there is a keyboard: people who use voice control also say
                                                     // letters
    if (!box) return;
    const place = box.dataset.how === "choice" ? (event.key.length === 1 ? LETTERS.indexOf(event.key.toUpperCase()) : -1)
      : choices(box).findIndex((one) => one.value === event.key);
    const input = choices(box)[place];
    if (!input) return;
    event.preventDefault();
    input.checked = input.type === "radio" || !input.checked;
    input.focus();
    for (const name of ["input", "change"]) input.dispatchEvent(new Event(name, { bubbles: true }));
    onward(input);
  });

  function choices(box) { return [...box.querySelectorAll("input[type=radio], input[type=checkbox]")]; }

  // one of several is the whole answer, but a custom text must still be typed
  function onward(input) {
    clearTimeout(waiting);
    if (input.type !== "radio" || input.value === "-other" || button.textContent === button.dataset.send) return;
    waiting = setTimeout(() => { if (input.checked && input.offsetParent) form.requestSubmit(button); }, SOON);
  }
}
