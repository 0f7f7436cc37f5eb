// Dragging with a pointer: tables on the floor plan, guests and parties onto tables, and the floor plan itself. Each frame
// changes one transform. The server saves the change once the pointer is released.
(() => {
  const svg = document.getElementById("st-svg");
  if (!svg || !window.seat) return;
  const world = document.getElementById("st-world"), zoomers = document.querySelector(".st-zoom");
  const SNAP = 10, FAR = 5, LONG = 280, NAME = 11, READABLE = 8.5; // of letters: as drawn, and in pixels
  let scale = 1, left = 0, top = 0, frame = 0, job = null;
  zoomers.hidden = false;
  new ResizeObserver(() => later(view)).observe(svg); // also when a phone shows the plan

  const later = (draw) => { job = draw; if (!frame) frame = requestAnimationFrame(() => { frame = 0; job(); }); };
  const view = () => {
    world.setAttribute("transform", `translate(${left} ${top}) scale(${scale})`);
    // names in place of initials as soon as they can be read
    svg.classList.toggle("is-near", svg.clientWidth > 0 && world.getScreenCTM().a * NAME > READABLE);
  };
  const unit = () => svg.getScreenCTM().inverse();
  const at = (event, matrix) => new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  const snap = (value) => Math.round(value / SNAP) * SNAP;

  function zoom(factor, point) {
    const box = svg.viewBox.baseVal, to = Math.min(8, Math.max(0.5, scale * factor));
    point ||= { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    left = point.x - ((point.x - left) * to) / scale;
    top = point.y - ((point.y - top) * to) / scale;
    scale = to;
    later(view);
  }
  zoomers.addEventListener("click", (event) => {
    const way = event.target.closest("[data-zoom]")?.dataset.zoom;
    if (way === "fit") { scale = 1; left = top = 0; later(view); }
    if (way) way !== "fit" && zoom(way === "in" ? 1.4 : 1 / 1.4);
  });
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return; // a page still scrolls
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, at(event, unit()));
  }, { passive: false });

  // ---- tables, and the plan under them
  const fingers = new Map();
  let held = null;
  svg.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    fingers.set(event.pointerId, event);
    if (fingers.size === 2) { held = { pinch: apart() }; return; }
    const table = event.target.closest(".st-at"), matrix = unit();
    held = { table: table && !("locked" in table.dataset) ? table : null, on: table, matrix, from: at(event, matrix), x: event.clientX, y: event.clientY, left, top, moved: false };
    if (held.table) { held.tx = +held.table.dataset.x; held.ty = +held.table.dataset.y; }
  });
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
      held.table?.classList.add("is-held");
      svg.classList.add(held.table ? "is-moving" : "is-panning");
    }
    const now = at(event, held.matrix), dx = now.x - held.from.x, dy = now.y - held.from.y;
    if (held.table) {
      held.nx = snap(held.tx + dx / scale);
      held.ny = snap(held.ty + dy / scale);
      later(() => held?.table?.setAttribute("transform", `translate(${held.nx} ${held.ny})`));
    } else {
      left = held.left + dx;
      top = held.top + dy;
      later(view);
    }
  });
  async function drop(event) {
    fingers.delete(event.pointerId);
    const done = held;
    if (!done || fingers.size) return;
    held = null;
    svg.classList.remove("is-moving", "is-panning");
    if (done.pinch) return;
    if (!done.moved) { if (event.type === "pointerup" && done.on) window.seat.choose(done.on.dataset.id); return; }
    if (!done.table) return;
    done.table.classList.remove("is-held");
    const back = () => done.table.setAttribute("transform", `translate(${done.tx} ${done.ty})`);
    if (event.type === "pointercancel") return back();
    if (done.nx === done.tx && done.ny === done.ty) return;
    done.table.dataset.x = done.nx;
    done.table.dataset.y = done.ny;
    if (!(await window.seat.act({ act: "place", table: done.table.dataset.id, x: done.nx, y: done.ny }))) { done.table.dataset.x = done.tx; done.table.dataset.y = done.ty; back(); }
  }
  svg.addEventListener("pointerup", drop);
  svg.addEventListener("pointercancel", drop);

  // ---- guests onto tables
  let carried = null, dropped = -1000;
  // releasing is not a click, but the next press is
  addEventListener("pointerdown", () => { dropped = -1000; }, true);
  addEventListener("click", (event) => {
    if (performance.now() - dropped >= 80) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  function begin(event, line, whole) {
    const names = whole ? line.dataset.party : line.querySelector("bdi").textContent;
    const count = whole ? document.querySelectorAll(`.st-guest[data-comes=y][data-party="${CSS.escape(line.dataset.party)}"]`).length : 1;
    const ghost = document.createElement("div");
    ghost.className = "st-ghost";
    ghost.textContent = count > 1 ? `${names} (${count})` : names;
    document.body.append(ghost);
    carried = { id: line.dataset.id, whole, count, ghost, over: null, pointer: event.pointerId };
    document.body.classList.add("is-carrying");
    if (matchMedia("(max-width: 64rem)").matches) document.querySelector("[data-turn=plan]").click();
    carry(event);
  }
  function carry(event) {
    const { clientX: x, clientY: y } = event;
    later(() => {
      if (!carried) return;
      carried.ghost.style.transform = `translate(${x + 12}px, ${y + 8}px)`;
      const over = below({ clientX: x, clientY: y });
      if (over === carried.over) return;
      carried.over?.classList.remove("is-target", "is-refusing");
      carried.over = over;
      if (over) over.classList.add("drop" in over.dataset || +over.dataset.free >= carried.count ? "is-target" : "is-refusing");
    });
  }
  const below = ({ clientX, clientY }) => {
    const under = document.elementFromPoint(clientX, clientY);
    return under?.closest(".st-table") || under?.closest("[data-drop]");
  };
  function let_go(event) {
    if (!carried) return;
    const { id, whole, over, ghost } = carried;
    ghost.remove();
    over?.classList.remove("is-target", "is-refusing");
    carried = null;
    document.body.classList.remove("is-carrying");
    dropped = performance.now();
    const target = event && below(event); // the last frame may not have been drawn yet
    if (target) window.seat.move([id], "drop" in target.dataset ? "" : target.dataset.id, whole ? { whole: 1 } : {});
  }
  let press = null;
  document.addEventListener("pointerdown", (event) => {
    const line = event.target.closest?.(".st-guest[data-comes=y]");
    if (!line || event.button) return;
    const grip = event.target.closest(".st-grip");
    press = { line, whole: Boolean(grip && "whole" in grip.dataset), x: event.clientX, y: event.clientY, id: event.pointerId, grip, touch: event.pointerType === "touch" };
    // a finger scrolls the list, unless it rests on a guest or uses the handle
    if (press.touch && !grip) press.timer = setTimeout(() => { if (press) { begin(event, press.line, press.whole); press = null; } }, LONG);
    grip?.releasePointerCapture?.(event.pointerId);
  });
  document.addEventListener("pointermove", (event) => {
    if (carried) return carried.pointer === event.pointerId && carry(event);
    if (!press || press.id !== event.pointerId) return;
    if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < FAR) return;
    clearTimeout(press.timer);
    if (!press.touch || press.grip) begin(event, press.line, press.whole);
    press = null;
  });
  const ended = (event) => { clearTimeout(press?.timer); press = null; carried?.pointer === event.pointerId && let_go(event.type === "pointerup" ? event : null); };
  document.addEventListener("pointerup", ended);
  document.addEventListener("pointercancel", ended);
  document.addEventListener("keydown", (event) => event.key === "Escape" && let_go(null));
  document.addEventListener("touchmove", (event) => carried && event.preventDefault(), { passive: false });
})();
