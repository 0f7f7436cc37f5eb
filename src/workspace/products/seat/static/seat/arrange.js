// Auto-seating on the plan: each better plan that the search finds is drawn, and the ghost chairs move to their tables.
(() => {
  const stage = document.querySelector(".st-stage"), options = document.getElementById("st-options");
  if (!stage || !options || !window.seat?.paint) return;
  const result = document.getElementById("st-result"), problem = document.getElementById("st-problem");
  const OFTEN = 600, GLIDE = 700, PAUSE = 250; // milliseconds
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const drawn = new Map(), holder = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  let job = stage.dataset.job || "", timer = 0;

  // Return where a chair is on the plan, and what turns the plan's directions into those of its table.
  function place(seat) {
    const { x, y, r } = seat.closest(".st-at").dataset, angle = (r * Math.PI) / 180, cos = Math.cos(angle), sin = Math.sin(angle);
    const { e, f } = seat.transform.baseVal.consolidate().matrix;
    return { x: +x + e * cos - f * sin, y: +y + e * sin + f * cos, cos, sin };
  }
  const seats = () => [...document.querySelectorAll("#st-tables .st-seat[data-guest]")];
  function draw(tables) {
    const before = new Map(seats().map((seat) => [seat.dataset.guest, place(seat)]));
    const fresh = [];
    for (const [id, markup] of Object.entries(tables)) {
      if (drawn.get(id) === markup) continue;
      drawn.set(id, markup);
      holder.innerHTML = markup;
      const table = holder.firstElementChild, old = document.getElementById(`at-${id}`);
      if (!old) continue;
      old.replaceWith(table);
      if (table.matches(".st-table")) fresh.push(table);
    }
    window.seat.paint(fresh);
    if (still.matches) return;
    const box = document.getElementById("st-svg").viewBox.baseVal, outside = { x: box.x, y: box.y + box.height };
    for (const seat of fresh.flatMap((table) => [...table.querySelectorAll(".st-proposed")])) {
      const from = before.get(seat.dataset.guest) || outside, to = place(seat), dx = from.x - to.x, dy = from.y - to.y;
      if (Math.hypot(dx, dy) < 1) continue;
      seat.parentNode.append(seat);
      seat.animate([{ translate: `${dx * to.cos + dy * to.sin}px ${-dx * to.sin + dy * to.cos}px` }, { translate: "0px 0px" }], { duration: GLIDE, easing: "ease-in-out" });
    }
  }
  async function poll() {
    const asked = job;
    try {
      const answer = await fetch(`${asked}/progress`, { headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(`${answer.status}`);
      const data = await answer.json();
      if (asked !== job) return;
      draw(data.tables);
      const focused = result.contains(document.activeElement);
      result.innerHTML = data.result;
      if (focused) result.querySelector("button")?.focus({ preventScroll: true });
      if (data.over) return;
    } catch { /* the next answer includes it */ }
    timer = setTimeout(poll, OFTEN);
  }
  async function search() {
    clearTimeout(timer);
    result.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(options.action, { method: "POST", body: new FormData(options), headers: { Accept: "application/json" } });
      const data = await answer.json();
      problem.replaceChildren();
      if (data.problem) {
        problem.append(Object.assign(document.createElement("div"), { className: "notice", textContent: data.problem }));
        problem.firstChild.dataset.kind = "bad";
        return;
      }
      job = data.url;
      history.replaceState(null, "", job);
      options.querySelector(".form-buttons")?.remove();
      poll();
    } catch {
      options.submit();
    } finally {
      result.removeAttribute("aria-busy");
    }
  }
  options.addEventListener("submit", (event) => { event.preventDefault(); search(); });
  let moved = 0;
  options.elements.balance.addEventListener("change", () => { clearTimeout(moved); moved = setTimeout(search, PAUSE); });
  if (job && result.querySelector("progress")) poll();
})();
