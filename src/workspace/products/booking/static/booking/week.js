// What scripts add to the week: a booking can be dragged with the mouse, with a finger that first rests on it, or with
// the arrow keys, and an available time can be clicked. Nothing is changed before the page that opens is confirmed.
// Without scripts, each booking's page has Reschedule, and New booking lists available times.
const week = document.querySelector(".bo-week");
if (week) {
  const SLOT = Number(week.dataset.slot), RESTS = 350, NEAR = 44; // minutes per row; milliseconds of a long press;
                                                                  // pixels from an edge at which the table scrolls
  const scroller = week.closest(".bo-scroll"), said = document.querySelector(".bo-said");
  for (const note of document.querySelectorAll(".bo-draggable")) note.hidden = false;
  let held = null, from = null, over = null, resting = 0, at = null;
  const isHeld = () => held?.classList.contains("bo-held");
  const cellAt = ({ x, y }) => document.elementFromPoint(x, y)?.closest(".bo-week td[data-at]");
  const go = (cell) => location.assign(`${held.dataset.move}?start=${cell.dataset.at}`);
  const light = (cell) => {
    if (over === cell) return;
    over?.classList.remove("bo-over");
    over = cell;
    over?.classList.add("bo-over");
  };
  const drop = () => {
    clearTimeout(resting);
    held?.classList.remove("bo-held");
    light(null);
    held = from = at = null;
    said.textContent = "";
  };
  const lift = () => {
    held?.classList.add("bo-held");
    getSelection()?.removeAllRanges();
    navigator.vibrate?.(15);
  };
  const follow = () => {
    if (!isHeld() || !at) return;
    const box = scroller.getBoundingClientRect();
    const step = at.x < box.left + NEAR ? -8 : at.x > box.right - NEAR ? 8 : 0;
    const down = at.y < NEAR ? -8 : at.y > innerHeight - NEAR * 2 ? 8 : 0;
    if (step) scroller.scrollLeft += step;
    if (down) scrollBy(0, down);
    light(cellAt(at));
    requestAnimationFrame(follow);
  };

  for (const one of week.querySelectorAll("[data-move]")) {
    one.draggable = false;
    one.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      drop();
      from = { x: event.clientX, y: event.clientY };
      held = one;
      if (event.pointerType !== "touch") return;
      one.releasePointerCapture?.(event.pointerId);
      resting = setTimeout(() => {
        lift();
        at = from;
        follow();
      }, RESTS);
    });
    one.addEventListener("contextmenu", (event) => held && event.preventDefault());
  }
  week.addEventListener("touchmove", (event) => isHeld() && event.preventDefault(), { passive: false });
  document.addEventListener("pointermove", (event) => {
    if (!from) return;
    const here = { x: event.clientX, y: event.clientY };
    if (!isHeld()) {
      if (Math.hypot(here.x - from.x, here.y - from.y) < 6) return;
      if (event.pointerType === "touch") return drop(); // the table scrolls
      lift();
      at = here;
      return follow();
    }
    at = here;
  });
  document.addEventListener("pointerup", (event) => {
    if (!from) return;
    const cell = isHeld() && cellAt({ x: event.clientX, y: event.clientY });
    if (isHeld()) {
      const stop = (click) => click.preventDefault();
      addEventListener("click", stop, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", stop, { capture: true }), 300);
    }
    if (cell && cell !== held.closest("td")) go(cell);
    drop();
  });
  document.addEventListener("pointercancel", drop);

  // with the keyboard: arrows on a booking choose a time, and Enter opens the confirmation
  const find = (day, slot) => week.querySelector(`td[data-at="${day}T${slot}"]`);
  const shifted = (cell, days, slots) => {
    const when = new Date(`${cell.dataset.at}Z`);
    for (let tries = 0; tries < 1440 / SLOT; tries += 1) {
      when.setUTCDate(when.getUTCDate() + days);
      when.setUTCMinutes(when.getUTCMinutes() + slots * SLOT);
      const [day, clock] = when.toISOString().split("T");
      let found = find(day, clock.slice(0, 5));
      if (found) return found;
      if (days) { // below a longer one: the cell that covers this time
        if (!week.querySelector(`td[data-at^="${day}"]`)) return null;
        for (const back = new Date(when); !found && back.getUTCDate() === when.getUTCDate();) {
          back.setUTCMinutes(back.getUTCMinutes() - SLOT);
          found = find(day, back.toISOString().slice(11, 16));
        }
        return found;
      }
    }
    return null;
  };
  const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  week.addEventListener("keydown", (event) => {
    const one = event.target.closest("[data-move]");
    if (!one || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === "Enter" && held === one && over) {
      event.preventDefault();
      go(over);
    } else if (STEPS[event.key]) {
      event.preventDefault();
      if (held !== one) drop();
      held = one;
      const [days, slots] = STEPS[event.key], turned = getComputedStyle(week).direction === "rtl" ? -1 : 1;
      const next = shifted(over || one.closest("td"), days * turned, slots);
      if (!next) return;
      light(next);
      next.scrollIntoView({ block: "nearest", inline: "nearest" });
      const day = new Date(`${next.dataset.at}Z`).toLocaleDateString("en", { weekday: "long", day: "numeric", timeZone: "UTC" });
      said.textContent = `${day}, ${next.dataset.at.slice(11)}. Enter asks about it, Escape leaves it.`;
    }
  });
  week.addEventListener("focusout", (event) => event.target === held && !from && drop());
  document.addEventListener("keydown", (event) => event.key === "Escape" && drop());
  week.addEventListener("click", (event) => {
    const cell = event.target.closest("td[data-state=free]");
    if (cell && !event.defaultPrevented && !event.target.closest("a")) location.assign(`${week.dataset.book}?start=${cell.dataset.at}`);
  });
}
