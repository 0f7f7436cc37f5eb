// The list for check-in: searched on the device, so that it works without a connection.
(() => {
  const look = document.querySelector("[data-look]"), names = document.getElementById("names");
  const print = document.querySelector("[data-print]"), none = document.querySelector("[data-none]");
  if (!look || !names) return;
  look.hidden = print.hidden = false;
  print.addEventListener("click", () => window.print());
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/ß/g, "ss").replace(/ø/gi, "o").replace(/ł/gi, "l").toLowerCase();
  const rows = [...names.children].map((row) => [row, ` ${plain(row.querySelector("b").parentElement.textContent).replace(/[\s,;.-]+/g, " ")}`]);
  const show = (sought) => {
    const words = plain(sought).split(/[\s,;.-]+/).filter(Boolean);
    let shown = 0;
    for (const [row, text] of rows) {
      row.hidden = !words.every((word) => text.includes(` ${word}`));
      if (!row.hidden) shown += 1;
    }
    none.hidden = shown > 0;
  };
  look.addEventListener("input", ({ target }) => show(target.value));
  // a printout contains everyone
  window.addEventListener("beforeprint", () => show(""));
  window.addEventListener("afterprint", () => show(look.value));
})();
