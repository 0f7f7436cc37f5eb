// Dragging with a pointer: a chair moves its guest, the plate moves the table, and the floor moves the plan. Guests and
// parties are also dragged from the list. Each frame changes one transform, and finds the table below by its numbers, so
// that 500 guests cost no more than five. The server saves the change once the pointer is released.
(() => {
  const svg = document.getElementById("st-svg"), world = document.getElementById("st-world"), list = document.getElementById("st-list");
  if (!svg || !window.seat?.later) return;
  const { later, unit, at, zoom, pan, view } = window.seat;
  const SNAP = 10, FAR = 5, LONG = 280, CHAIR = 26, EDGE = 50; // pixels, milliseconds, and centimeters
  const snap = (value) => Math.round(value / SNAP) * SNAP;

  // ---- the plan, and tables
  const fingers = new Map();
  let held = null;
  svg.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    fingers.set(event.pointerId, event);
    if (fingers.size === 2) { settle(); held = { pinch: apart() }; press = null; return; }
    const seat = event.target.closest(".st-seat[data-guest]"), on = event.target.closest(".st-at"), matrix = unit();
    if (seat && !("held" in seat.dataset) && !document.querySelector(".st-column")) {
      press = { ...guestOf(seat), x: event.clientX, y: event.clientY, id: event.pointerId, grip: true, touch: false };
      return;
    }
    held = { table: on && !("locked" in on.dataset) ? on : null, on, seat, matrix, from: at(event, matrix), x: event.clientX, y: event.clientY, ...view(), moved: false };
    if (held.table) { held.tx = +held.table.dataset.x; held.ty = +held.table.dataset.y; }
  });
  // End a drag that becomes a pinch.
  function settle() {
    svg.style.transform = "";
    held?.layer?.remove();
    held?.table?.classList.remove("is-held");
    if (held?.moved && !held.table) pan(held.left + held.dx, held.top + held.dy);
  }
  const apart = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY); };
  svg.addEventListener("pointermove", (event) => {
    if (!held || !fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, event);
    if (held.pinch) {
      if (fingers.size < 2) return;
      const now = apart(), [a, b] = [...fingers.values()];
      zoom(now / held.pinch, at({ clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 }, unit()));
      held.pinch = now;
      return;
    }
    if (!held.moved && Math.hypot(event.clientX - held.x, event.clientY - held.y) < FAR) return;
    if (!held.moved) {
      held.moved = true;
      svg.setPointerCapture(event.pointerId);
      held.pixels = svg.getScreenCTM().a;
      if (held.table) lift();
      svg.classList.add(held.table ? "is-moving" : "is-panning");
    }
    const now = at(event, held.matrix), dx = now.x - held.from.x, dy = now.y - held.from.y;
    held.dx = dx;
    held.dy = dy;
    held.nx = snap(held.tx + dx / held.scale);
    held.ny = snap(held.ty + dy / held.scale);
    later(slide);
  });
  // Copy the table to a layer of its own, so that moving it does not paint the plan again.
  function lift() {
    held.layer = svg.cloneNode(false);
    const copy = world.cloneNode(false);
    for (const one of [held.layer, copy]) one.removeAttribute("id");
    held.layer.setAttribute("class", "st-svg st-lifted");
    held.layer.setAttribute("aria-hidden", "true");
    copy.append(held.table.cloneNode(true));
    for (const one of copy.querySelectorAll("[id], [tabindex]")) { one.removeAttribute("id"); one.removeAttribute("tabindex"); }
    held.layer.append(copy);
    svg.after(held.layer);
    held.table.classList.add("is-held");
  }
  function slide() {
    if (!held?.moved) return;
    const by = held.table ? { x: (held.nx - held.tx) * held.scale, y: (held.ny - held.ty) * held.scale } : { x: held.dx, y: held.dy };
    (held.layer || svg).style.transform = `translate(${by.x * held.pixels}px, ${by.y * held.pixels}px)`;
  }
  async function drop(event) {
    fingers.delete(event.pointerId);
    const done = held;
    if (!done || fingers.size) return;
    held = null;
    svg.classList.remove("is-moving", "is-panning");
    svg.style.transform = "";
    done.layer?.remove();
    done.table?.classList.remove("is-held");
    if (done.pinch) return;
    if (!done.moved) {
      if (event.type === "pointerup" && done.seat) window.seat.chooseGuest(done.seat.dataset.guest);
      else if (event.type === "pointerup" && done.on) window.seat.choose(done.on.dataset.id);
      return;
    }
    if (!done.table) return pan(done.left + done.dx, done.top + done.dy);
    const back = () => done.table.setAttribute("transform", `translate(${done.tx} ${done.ty})`);
    if (event.type === "pointercancel") return back();
    if (done.nx === done.tx && done.ny === done.ty) return;
    done.table.dataset.x = done.nx;
    done.table.dataset.y = done.ny;
    done.table.setAttribute("transform", `translate(${done.nx} ${done.ny})`);
    if (!(await window.seat.act({ act: "place", table: done.table.dataset.id, x: done.nx, y: done.ny }))) { done.table.dataset.x = done.tx; done.table.dataset.y = done.ty; back(); }
  }
  svg.addEventListener("pointerup", drop);
  svg.addEventListener("pointercancel", drop);

  // ---- guests
  const guestOf = (seat) => ({ guest: seat.dataset.guest, name: seat.dataset.name, seat, whole: false, count: 1 });
  function lineOf(line, whole) {
    const count = whole ? document.querySelectorAll(`.st-guest[data-comes=y][data-party="${CSS.escape(line.dataset.party)}"]`).length : 1;
    const name = whole ? line.dataset.party : line.querySelector("bdi").textContent;
    return { guest: line.dataset.id, name: count > 1 ? `${name} (${count})` : name, whole, count };
  }
  let press = null, carried = null, dropped = -1000;
  // releasing is not a click, but the next press is
  addEventListener("pointerdown", () => { dropped = -1000; }, true);
  addEventListener("click", (event) => {
    if (performance.now() - dropped >= 80) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  function begin(event, what) {
    const ghost = document.createElement("div");
    ghost.className = "st-ghost";
    ghost.textContent = what.name;
    document.body.append(ghost);
    document.body.classList.add("is-carrying");
    if (event.isTrusted) svg.setPointerCapture(event.pointerId); // spares a search for the element below each move
    what.seat?.classList.add("is-away");
    const covered = list.dataset.open === "yes" && matchMedia("(min-width: 56.01rem)").matches ? list.getBoundingClientRect().right : -1;
    const tables = [...document.querySelectorAll("#st-tables > .st-table")].map((table) => {
      const { x, y, r, w, d } = table.dataset, angle = (-r * Math.PI) / 180;
      return { table, x: +x, y: +y, cos: Math.cos(angle), sin: Math.sin(angle), w: w / 2 + EDGE, d: d / 2 + EDGE };
    });
    carried = { ...what, ghost, tables, covered, matrix: world.getScreenCTM().inverse(), over: null, chair: null, pointer: event.pointerId };
    carry(event);
  }
  // Return the chairs of a table with their places, which are read once.
  function chairs(one) {
    one.seats ||= [...one.table.querySelectorAll(".st-seat")].map((seat) => {
      const { e, f } = seat.transform.baseVal.consolidate().matrix;
      return { seat, x: e, y: f };
    });
    return one.seats;
  }
  // Return what is below the pointer: a table and perhaps its chair, or the list of guests without a table.
  function below(event) {
    if (event.clientX < carried.covered) return { over: document.getElementById("st-free"), chair: null };
    const point = at(event, carried.matrix);
    for (const one of carried.tables) {
      const dx = point.x - one.x, dy = point.y - one.y, x = dx * one.cos - dy * one.sin, y = dx * one.sin + dy * one.cos;
      if (Math.abs(x) > one.w || Math.abs(y) > one.d) continue;
      const near = carried.whole ? null : chairs(one).find((seat) => Math.hypot(seat.x - x, seat.y - y) < CHAIR);
      return { over: one.table, chair: near?.seat || null };
    }
    return { over: null, chair: null };
  }
  function carry(event) {
    const spot = { clientX: event.clientX, clientY: event.clientY };
    later(() => {
      if (!carried) return;
      carried.ghost.style.transform = `translate(${spot.clientX + 12}px, ${spot.clientY + 8}px)`;
      const { over, chair } = below(spot);
      if (chair !== carried.chair) {
        carried.chair?.classList.remove("is-target");
        chair?.classList.add("is-target");
        carried.chair = chair;
      }
      if (over === carried.over) return;
      carried.over?.classList.remove("is-target", "is-refusing");
      carried.over = over;
      over?.classList.add("drop" in over.dataset || +over.dataset.free >= carried.count || carried.seat?.closest(".st-at") === over ? "is-target" : "is-refusing");
    });
  }
  function letGo(event) {
    if (!carried) return;
    const done = carried, target = event && below(event); // the last frame may not have been drawn yet
    done.ghost.remove();
    done.over?.classList.remove("is-target", "is-refusing");
    done.chair?.classList.remove("is-target");
    done.seat?.classList.remove("is-away");
    carried = null;
    document.body.classList.remove("is-carrying");
    dropped = performance.now();
    if (!target?.over) return;
    if ("drop" in target.over.dataset) return window.seat.move([done.guest], "", done.whole ? { whole: 1 } : {});
    const table = target.over.dataset.id, chair = target.chair?.dataset, own = done.seat?.closest(".st-at")?.dataset.id;
    if (!chair) return own === table || window.seat.move([done.guest], table, done.whole ? { whole: 1 } : {});
    if (chair.guest === done.guest) return;
    if (chair.guest && done.seat) return window.seat.act({ act: "swap", guest: done.guest, other: chair.guest, seat: chair.seat, other_seat: done.seat.dataset.seat });
    window.seat.move([done.guest], table, chair.guest ? {} : { seat: chair.seat });
  }
  document.addEventListener("pointerdown", (event) => {
    const line = event.target.closest?.(".st-guest[data-comes=y]");
    if (!line || event.button) return;
    const grip = event.target.closest(".st-grip");
    press = { line, wholeParty: Boolean(grip && "whole" in grip.dataset), x: event.clientX, y: event.clientY, id: event.pointerId, grip, touch: event.pointerType === "touch" };
    // a finger scrolls the list, unless it rests on a guest or uses the handle
    if (press.touch && !grip) press.timer = setTimeout(() => { if (press) { begin(event, lineOf(press.line, press.wholeParty)); press = null; } }, LONG);
    grip?.releasePointerCapture?.(event.pointerId);
  });
  document.addEventListener("pointermove", (event) => {
    if (carried) return carried.pointer === event.pointerId && carry(event);
    if (!press || press.id !== event.pointerId) return;
    if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < FAR) return;
    clearTimeout(press.timer);
    if (!press.touch || press.grip) begin(event, press.line ? lineOf(press.line, press.wholeParty) : press);
    press = null;
  });
  const ended = (event) => {
    clearTimeout(press?.timer);
    if (press?.seat && event.type === "pointerup" && !carried) window.seat.chooseGuest(press.guest);
    press = null;
    fingers.delete(event.pointerId);
    if (carried?.pointer === event.pointerId) letGo(event.type === "pointerup" ? event : null);
  };
  document.addEventListener("pointerup", ended);
  document.addEventListener("pointercancel", ended);
  document.addEventListener("keydown", (event) => event.key === "Escape" && letGo(null));
  document.addEventListener("touchmove", (event) => carried && event.preventDefault(), { passive: false });
})();
