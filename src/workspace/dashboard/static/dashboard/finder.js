// The search as a dialog: Ctrl-K or Cmd-K, arrows, Enter. Without scripts, the links open the search page.
(() => {
  const finder = document.getElementById("finder");
  if (!finder?.showModal) return;
  const input = finder.querySelector("input"), found = document.getElementById("found");
  const hits = () => [...found.querySelectorAll("a")];
  const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

  document.querySelectorAll("[data-find-key]").forEach((key) => {
    key.textContent = isApple ? "⌘ K" : "Ctrl K";
    key.hidden = false;
  });

  function open() {
    if (finder.open) return;
    document.querySelector("#side:popover-open")?.hidePopover();
    finder.showModal();
    input.select();
    htmx.trigger(input, "find");
  }

  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (target?.closest("[data-find]") && plain) { event.preventDefault(); open(); }
    if (target?.closest("[data-close]")) finder.close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || event.altKey || event.shiftKey || !(isApple ? event.metaKey : event.ctrlKey)) return;
    event.preventDefault();
    if (finder.open) finder.close(); else open();
  });
  finder.addEventListener("keydown", (event) => {
    const all = hits(), at = all.indexOf(document.activeElement);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const next = at + (event.key === "ArrowDown" ? 1 : -1);
      (next < 0 ? input : all[Math.min(next, all.length - 1)] ?? input).focus();
    } else if (event.key === "Home" && at > 0) {
      all[0].focus();
    } else if (event.key.length === 1 && at >= 0 && !event.ctrlKey && !event.metaKey) {
      input.focus(); // typing more narrows the search
    }
  });
  // Enter opens the first match for the text. If there is no result yet, it opens the search page.
  finder.querySelector("form").addEventListener("submit", (event) => {
    const first = hits()[0];
    if (!first || found.dataset.q !== input.value.trim()) return;
    event.preventDefault();
    first.click();
  });
  found.addEventListener("htmx:afterSwap", (event) => { found.dataset.q = (event.detail.requestConfig.parameters.q ?? "").trim(); });
})();
