// The view of the plan: zoom, pan, colors of the chairs, and the drawer with the guests. Panels lie above the plan, so that
// it keeps its scale.
(() => {
  const svg = document.getElementById("st-svg");
  if (!svg || !window.seat) return;
  const stage = document.querySelector(".st-stage"), world = document.getElementById("st-world"), zoomers = document.querySelector(".st-zoom");
  const list = document.getElementById("st-list"), opener = document.getElementById("st-open-list");
  const NAME = 11, READABLE = 8.5, MARGIN = 8; // size of letters as drawn, and in pixels
  const wide = matchMedia("(min-width: 56.01rem)");
  let scale = 1, left = 0, top = 0, frame = 0, job = null, touched = false;
  zoomers.hidden = false;

  const later = (draw) => { job = draw; if (!frame) frame = requestAnimationFrame(() => { frame = 0; job(); }); };
  const unit = () => svg.getScreenCTM().inverse();
  const at = (event, matrix) => new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  function draw() {
    world.setAttribute("transform", `translate(${left} ${top}) scale(${scale})`);
    // names instead of initials as soon as they can be read
    svg.classList.toggle("is-near", svg.clientWidth > 0 && world.getScreenCTM().a * NAME > READABLE);
  }
  // Return the part of the plan that no panel covers, in pixels.
  function visible() {
    const box = svg.getBoundingClientRect(), free = { left: box.left + MARGIN, right: box.right - MARGIN, top: box.top + 56, bottom: box.bottom - 52 };
    if (!wide.matches) return free;
    if (list.dataset.open === "yes") free.left += list.offsetWidth;
    const column = document.querySelector(".st-column");
    if (column) free.right -= column.offsetWidth + 12;
    return free;
  }
  function fit() {
    const box = svg.viewBox.baseVal, free = visible(), outer = svg.getScreenCTM();
    if (!outer || !svg.clientWidth) return;
    touched = false;
    // the scale leaves room for the drawer even if it is closed, so that opening it changes nothing
    const span = free.right - free.left - (wide.matches && list.dataset.open !== "yes" ? list.offsetWidth || 0 : 0);
    scale = Math.max(0.1, Math.min(span / box.width, (free.bottom - free.top) / box.height) / outer.a);
    const middle = new DOMPoint((free.left + free.right) / 2, (free.top + free.bottom) / 2).matrixTransform(outer.inverse());
    left = middle.x - scale * (box.x + box.width / 2);
    top = middle.y - scale * (box.y + box.height / 2);
    later(draw);
  }
  function zoom(factor, point) {
    const box = svg.viewBox.baseVal, to = Math.min(8, Math.max(0.1, scale * factor));
    point ||= { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    left = point.x - ((point.x - left) * to) / scale;
    top = point.y - ((point.y - top) * to) / scale;
    scale = to;
    touched = true;
    later(draw);
  }
  function pan(x, y) {
    left = x;
    top = y;
    touched = true;
    later(draw);
  }
  // Move the plan, if the table is below the details.
  function reveal(table) {
    const side = document.querySelector(".st-side");
    if (side.hidden || !wide.matches) return;
    const box = table.getBoundingClientRect(), cover = side.getBoundingClientRect();
    if (box.right > cover.left && box.left < cover.right) pan(left - (box.right - cover.left + 16) / svg.getScreenCTM().a, top);
  }
  Object.assign(window.seat, { later, unit, at, zoom, pan, reveal, view: () => ({ scale, left, top }) });
  zoomers.addEventListener("click", (event) => {
    const way = event.target.closest("[data-zoom]")?.dataset.zoom;
    if (way === "fit") fit();
    else if (way) zoom(way === "in" ? 1.4 : 1 / 1.4);
  });
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey || !event.deltaX) zoom(event.deltaY < 0 ? 1.12 : 1 / 1.12, at(event, unit()));
    else pan(left - event.deltaX / svg.getScreenCTM().a, top - event.deltaY / svg.getScreenCTM().a);
  }, { passive: false });
  new ResizeObserver(() => touched ? later(draw) : fit()).observe(svg);
  svg.addEventListener("seat:room", () => touched || fit());

  // ---- the drawer
  function openList(open) {
    const before = visible();
    list.dataset.open = open ? "yes" : "no";
    opener.setAttribute("aria-expanded", `${open}`);
    const shift = (visible().left - before.left) / 2 / svg.getScreenCTM().a;
    left += shift;
    later(draw);
  }
  opener.hidden = false;
  if (!wide.matches && !list.querySelector("#st-free > li")) openList(false);
  opener.addEventListener("click", () => {
    openList(list.dataset.open !== "yes");
    if (list.dataset.open === "yes") document.getElementById("st-q").focus({ preventScroll: true });
  });
  document.querySelector(".st-close-list").addEventListener("click", () => { openList(false); opener.focus(); });

  // ---- colors: guests of one party share a color, and so do equal meals
  const COLORS = 12, colors = document.querySelector(".st-colors"), legend = document.getElementById("st-legend");
  const known = { party: new Map(), meal: new Map() };
  let by = "party";
  // Return a color for a key, if possible one that no other key at this table has.
  function color(key, taken) {
    const all = known[by];
    if (!all.has(key)) {
      let next = all.size % COLORS;
      for (let tries = 0; tries < COLORS && taken.has(next); tries++) next = (next + 1) % COLORS;
      all.set(key, next);
    }
    taken.add(all.get(key));
    return all.get(key);
  }
  function paint(tables = document.querySelectorAll("#st-tables > .st-table")) {
    for (const table of tables) {
      const seats = table.querySelectorAll(".st-seat[data-guest]"), keys = [...seats].map((seat) => seat.dataset[by]);
      const taken = new Set(keys.map((key) => known[by].get(key)).filter((one) => one !== undefined));
      seats.forEach((seat, place) => { seat.dataset.k = keys[place] ? color(keys[place], taken) : ""; });
    }
    legend.hidden = by !== "meal";
    if (by !== "meal") return;
    const counts = new Map();
    for (const seat of document.querySelectorAll(".st-seat[data-guest]")) counts.set(seat.dataset.meal, (counts.get(seat.dataset.meal) || 0) + 1);
    legend.replaceChildren(...[...counts].sort((one, other) => other[1] - one[1]).slice(0, COLORS).map(([meal, count]) => {
      const line = document.createElement("li"), swatch = document.createElement("i");
      swatch.dataset.k = meal ? known.meal.get(meal) : "";
      line.append(swatch, ` ${meal || stage.dataset.none} ${count}`);
      return line;
    }));
  }
  window.seat.paint = paint;
  colors.hidden = false;
  colors.addEventListener("click", (event) => {
    const chosen = event.target.closest("[data-colors]")?.dataset.colors;
    if (!chosen) return;
    by = chosen;
    colors.querySelectorAll("[data-colors]").forEach((one) => one.setAttribute("aria-pressed", `${one.dataset.colors === by}`));
    paint();
  });
  paint();
  fit();
})();
