// Shows the table while the guest types. Without scripts, the button does the same.
(() => {
  const form = document.querySelector(".s-find"), found = document.getElementById("found");
  const field = form.elements.q;
  let timer = 0, latest = 0;
  async function ask(url) {
    const turn = ++latest;
    try {
      const answer = await fetch(url, { headers: { "X-Part": "1" } }), text = await answer.text();
      if (turn === latest) found.innerHTML = text;
    } catch { /* the button still works */ }
  }
  field.addEventListener("input", () => {
    clearTimeout(timer);
    const typed = field.value.trim();
    if (typed.length < 2) { latest++; found.replaceChildren(); return; }
    timer = setTimeout(() => ask(`${form.action}?${new URLSearchParams(new FormData(form))}`), 220);
  });
  found.addEventListener("click", (event) => {
    const link = event.target.closest("a[href*='/find?']");
    if (!link) return;
    event.preventDefault();
    ask(link.href);
  });
})();
