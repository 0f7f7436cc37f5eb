// Parts of a certificate can be dragged on its picture. The form's fields have their positions: boxes follow the
// fields, and moving a box changes them. Without scripts, people edit the fields.
(() => {
  const form = document.querySelector("form[data-picture]"), panel = document.querySelector("[data-places]");
  const layer = document.querySelector("[data-boxes]"), seen = document.querySelector("[data-seen]"), bar = document.querySelector("[data-place-bar]");
  if (!form || !panel || !layer) return;
  const said = document.querySelector("[data-place-said]"), choose = panel.querySelector("[data-part-of]"), aside = layer.closest(".certs-seen");
  const [asDesigned, free] = ["design", "free"].map((value) => panel.querySelector(`[name=_placed][value=${value}]`));
  const usual = JSON.parse(panel.dataset.usual), texts = panel.dataset;
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
  const MARGIN = 5, NEAR = 6; // percent of the page; distance in pixels at which a part snaps
  const rows = [...panel.querySelectorAll("[data-place]")].map((field) => {
    const fields = {};
    for (const one of field.querySelectorAll("[data-key]")) fields[one.dataset.key] = one;
    return { field, fields, part: field.dataset.part, label: field.querySelector("legend").textContent, box: null };
  });
  const round = (value) => Math.round(value * 10) / 10;
  const within = (value, least, most) => Math.min(Math.max(value, least), most);
  const read = ({ fields }) => {
    const [x, y, width, height] = ["x", "y", "width", "height"].map((key) => Number.parseFloat(fields[key].value.replace(",", ".")) || 0);
    return { x, y, width, height };
  };
  const write = ({ fields }, place) => { for (const key of ["x", "y", "width", "height"]) fields[key].value = String(round(place[key])); };
  const isOff = (row) => row.fields.hidden.checked;
  let chosen = null, undone = [], done = [], last;

  // the values of all fields, for undo
  const state = () => rows.map(({ fields }) => Object.values(fields).map((one) => (one.type === "checkbox" ? one.checked : one.value)));
  function restore(kept) {
    rows.forEach(({ fields }, n) => Object.values(fields).forEach((one, k) => { if (one.type === "checkbox") one.checked = kept[n][k]; else one.value = kept[n][k]; }));
  }
  function commit() {
    const now = state();
    if (JSON.stringify(now) === JSON.stringify(last)) return;
    done.push(last);
    undone = [];
    last = now;
    drawn();
  }
  function step(from, to) {
    if (!from.length) return;
    to.push(last);
    last = from.pop();
    restore(last);
    drawn();
  }
  function drawn() {
    layout();
    // the picture follows, as it does for every field
    free.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function layout() {
    const on = free.checked;
    layer.hidden = bar.hidden = !on;
    panel.querySelector("[data-free]").hidden = !on;
    aside.toggleAttribute("data-placing", on);
    if (!on) return;
    const rect = layer.getBoundingClientRect();
    for (const row of rows) {
      const place = read(row);
      row.box.hidden = isOff(row);
      Object.assign(row.box.style, { left: `${place.x}%`, top: `${place.y}%`, width: `${place.width}%`, height: `${place.height}%` });
      const part = row.fields.text ? `${row.label} (${row.fields.text.value})` : row.label;
      row.box.setAttribute("aria-label", fill(texts.textPosition, { ...place, part }));
      // if there is no room for all of its handles, it has one
      row.box.toggleAttribute("data-small", Math.min(place.width / 100 * rect.width, place.height / 100 * rect.height) < 44);
      row.box.setAttribute("aria-pressed", String(row === chosen));
      row.field.hidden = row !== chosen;
    }
    const options = rows.map((row, n) => ({ row, n })).filter(({ row }) => row === chosen || row.part !== "text" || !isOff(row));
    choose.replaceChildren(new Option(texts.textChoose, ""), ...options.map(({ row, n }) => {
      const part = row.label + (row.fields.text?.value ? ` (${row.fields.text.value.slice(0, 30)})` : "");
      return new Option(isOff(row) ? fill(texts.textHidden, { part }) : part, `${n}`, false, row === chosen);
    }));
    bar.querySelectorAll("[data-to]").forEach((one) => { one.disabled = !chosen || isOff(chosen); });
    bar.querySelector("[data-undo]").disabled = !done.length;
    bar.querySelector("[data-redo]").disabled = !undone.length;
  }
  function select(row, focus) {
    chosen = row;
    layout();
    if (row && focus) row.box.focus({ preventScroll: true });
  }
  function tell(row) {
    said.textContent = fill(texts.textBox, { ...read(row), part: row.label });
  }

  // Snapping: edges and centers of the page and of other parts.
  const guides = ["x", "y"].map((axis) => {
    const line = document.createElement("i");
    line.className = "certs-guide";
    line.dataset.axis = axis;
    line.hidden = true;
    return line;
  });
  function targets(axis, but) {
    const size = axis === "x" ? "width" : "height";
    const found = [MARGIN, 50, 100 - MARGIN];
    for (const row of rows) if (row !== but && !isOff(row)) {
      const place = read(row);
      found.push(place[axis], place[axis] + place[size] / 2, place[axis] + place[size]);
    }
    return found;
  }
  function snapped(axis, edges, but, isFree) {
    const guide = guides[axis === "x" ? 0 : 1];
    guide.hidden = true;
    if (isFree) return 0;
    const rect = layer.getBoundingClientRect(), reach = NEAR / (axis === "x" ? rect.width : rect.height) * 100;
    let best = null;
    for (const to of targets(axis, but)) for (const edge of edges) {
      const off = to - edge;
      if (Math.abs(off) <= reach && (!best || Math.abs(off) < Math.abs(best.off))) best = { off, to };
    }
    if (!best) return 0;
    guide.style[axis === "x" ? "left" : "top"] = `${best.to}%`;
    guide.hidden = false;
    return best.off;
  }

  function moved(row, from, dx, dy, isFree) {
    const place = { ...from, x: from.x + dx, y: from.y + dy };
    place.x += snapped("x", [place.x, place.x + place.width / 2, place.x + place.width], row, isFree);
    place.y += snapped("y", [place.y, place.y + place.height / 2, place.y + place.height], row, isFree);
    place.x = within(place.x, 0, 100 - place.width);
    place.y = within(place.y, 0, 100 - place.height);
    return place;
  }
  function sized(row, from, handle, dx, dy, isFree) {
    const [leastWide, leastHigh] = row.part === "code" ? [6, 8] : [2, 1];
    const sides = { x: [from.x, from.x + from.width], y: [from.y, from.y + from.height] };
    const pull = (axis, side, by, least) => {
      let edge = sides[axis][side] + by;
      edge += snapped(axis, [edge], row, isFree);
      sides[axis][side] = side ? within(edge, sides[axis][0] + least, 100) : within(edge, 0, sides[axis][1] - least);
    };
    if (handle.includes("w")) pull("x", 0, dx, leastWide);
    if (handle.includes("e")) pull("x", 1, dx, leastWide);
    if (handle.includes("n")) pull("y", 0, dy, leastHigh);
    if (handle.includes("s")) pull("y", 1, dy, leastHigh);
    return { x: sides.x[0], y: sides.y[0], width: sides.x[1] - sides.x[0], height: sides.y[1] - sides.y[0] };
  }

  let drag = null, onPaper = false;
  layer.addEventListener("pointerdown", (event) => {
    onPaper = event.target === layer;
    const box = event.target.closest(".certs-box"), row = rows.find((one) => one.box === box);
    if (!row || event.button) return;
    event.preventDefault();
    select(row, true);
    drag = { row, from: read(row), x: event.clientX, y: event.clientY, handle: event.target.dataset.handle || "", id: event.pointerId, is: false };
    layer.setPointerCapture(event.pointerId);
  });
  layer.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const rect = layer.getBoundingClientRect(), [px, py] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.is && Math.hypot(px, py) < 3) return;
    if (!drag.is && !drag.handle) {
      // the part of the picture that is being moved follows
      const { x, y } = drag.from;
      Object.assign(drag.row.box.style, { backgroundImage: `url("${seen.currentSrc || seen.src}")`, backgroundSize: `${rect.width}px ${rect.height}px`, backgroundPosition: `${-x / 100 * rect.width}px ${-y / 100 * rect.height}px` });
    }
    drag.is = true;
    const [dx, dy] = [px / rect.width * 100, py / rect.height * 100];
    write(drag.row, drag.handle ? sized(drag.row, drag.from, drag.handle, dx, dy, event.altKey) : moved(drag.row, drag.from, dx, dy, event.altKey));
    layout();
  });
  function released(event, back) {
    if (!drag || (event.pointerId !== undefined && event.pointerId !== drag.id)) return;
    const { row, from, is } = drag;
    drag = null;
    guides.forEach((one) => { one.hidden = true; });
    if (back) { write(row, from); row.box.style.backgroundImage = ""; layout(); return; }
    if (is) { commit(); tell(row); }
  }
  layer.addEventListener("pointerup", (event) => released(event));
  layer.addEventListener("pointercancel", (event) => released(event, true));
  seen.addEventListener("load", () => { if (!drag) for (const { box } of rows) box.style.backgroundImage = ""; });

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  layer.addEventListener("keydown", (event) => {
    const row = rows.find((one) => one.box === event.target.closest(".certs-box"));
    const isBack = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
    if (isBack || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "y")) {
      event.preventDefault();
      if (isBack && !event.shiftKey) step(done, undone); else step(undone, done);
      return;
    }
    if (!row) return;
    if (event.key === "Escape") { if (drag) released({}, true); else select(null); return; }
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      row.fields.hidden.checked = true;
      commit();
      return;
    }
    const way = ARROWS[event.key];
    if (!way) return;
    event.preventDefault();
    if (row !== chosen) select(row);
    const by = event.shiftKey ? 5 : event.altKey ? 0.1 : 0.5, from = read(row), [dx, dy] = [way[0] * by, way[1] * by];
    write(row, event.ctrlKey || event.metaKey ? sized(row, from, "es", dx, dy, true) : moved(row, from, dx, dy, true));
    layout();
  });
  layer.addEventListener("keyup", (event) => { if (ARROWS[event.key] && chosen) { commit(); tell(chosen); } });
  layer.addEventListener("focusin", (event) => {
    const row = rows.find((one) => one.box === event.target.closest(".certs-box"));
    if (row && row !== chosen && !drag) select(row);
  });
  // clicking elsewhere on the page selects nothing
  layer.addEventListener("click", () => { if (onPaper) select(null); });

  bar.addEventListener("click", (event) => {
    const act = event.target.closest("button");
    if (!act) return;
    if ("undo" in act.dataset) { step(done, undone); return; }
    if ("redo" in act.dataset) { step(undone, done); return; }
    const place = read(chosen), to = act.dataset.to;
    if (to === "left") place.x = MARGIN;
    if (to === "center") place.x = (100 - place.width) / 2;
    if (to === "right") place.x = 100 - MARGIN - place.width;
    if (to === "top") place.y = MARGIN;
    if (to === "middle") place.y = (100 - place.height) / 2;
    if (to === "bottom") place.y = 100 - MARGIN - place.height;
    if (to === "wide") Object.assign(place, { x: MARGIN, width: 100 - 2 * MARGIN });
    write(chosen, { ...place, x: within(place.x, 0, 100 - place.width), y: within(place.y, 0, 100 - place.height) });
    commit();
    tell(chosen);
  });
  choose.addEventListener("change", (event) => {
    event.stopPropagation(); // this is not a field of the form
    select(choose.value === "" ? null : rows[Number(choose.value)]);
  });
  choose.addEventListener("input", (event) => event.stopPropagation());
  panel.addEventListener("input", (event) => {
    const row = rows.find((one) => one.field.contains(event.target));
    if (!row) return;
    if (event.target.type === "color") row.fields.colored.checked = true;
    layout();
  });
  panel.addEventListener("change", (event) => {
    if (!event.isTrusted) return;
    if (event.target === free && !done.length && !panel.dataset.isPlaced) again();
    if (event.target === free || event.target === asDesigned) { layout(); return; }
    if (rows.some((one) => one.field.contains(event.target))) commit();
  });
  function again() {
    const design = form.querySelector("[name='layout.design']:checked")?.value, way = form.querySelector("[name='layout.landscape']").value;
    const places = usual[`${design}-${way}`] || usual[`classic-${way}`];
    for (const row of rows) {
      const place = places[row.part];
      row.fields.hidden.checked = !place;
      if (place) { const [x, y, width, height] = place; write(row, { x, y, width, height }); }
    }
  }
  panel.querySelector("[data-again]").addEventListener("click", () => { again(); select(null); commit(); });
  panel.querySelector("[data-add]").addEventListener("click", () => {
    const row = rows.find((one) => one.part === "text" && isOff(one));
    if (!row) { said.textContent = texts.textFull; return; }
    row.fields.hidden.checked = false;
    select(row);
    row.fields.text.focus();
  });

  for (const row of rows) {
    row.box = document.createElement("button");
    row.box.type = "button";
    row.box.className = "certs-box";
    row.box.dataset.part = row.part;
    row.box.dataset.label = row.label;
    for (const handle of ["nw", "n", "ne", "e", "se", "s", "sw", "w"]) {
      const grip = document.createElement("i");
      grip.dataset.handle = handle;
      row.box.append(grip);
    }
    layer.append(row.box);
  }
  layer.append(...guides);
  for (const one of panel.querySelectorAll("[data-how], [data-choose], [data-more]")) one.hidden = false;
  if (free.checked) panel.dataset.isPlaced = "yes";
  last = state();
  layout();
})();
