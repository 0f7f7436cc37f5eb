// The week, nicer: a booking is dragged to another time, which asks before anything moves, and a free time is clicked.
// Without it, each booking's page has Move, and New booking its free times.
const week = document.querySelector(".bo-week");
if (week) {
  for (const note of document.querySelectorAll(".bo-draggable")) note.hidden = false;
  let held = null, from = null, over = null;
  const cellAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest(".bo-week td[data-at]");
  const light = (cell) => {
    if (over === cell) return;
    over?.classList.remove("bo-over");
    over = cell;
    over?.classList.add("bo-over");
  };
  const drop = () => {
    held?.classList.remove("bo-held");
    light(null);
    held = from = null;
  };
  for (const one of week.querySelectorAll("[data-move]")) {
    one.draggable = false;
    one.addEventListener("pointerdown", (event) => {
      if (event.button || event.pointerType === "touch") return; // a finger scrolls; it opens the booking, which has Move
      from = { x: event.clientX, y: event.clientY };
      held = one;
    });
  }
  document.addEventListener("pointermove", (event) => {
    if (!held) return;
    if (!held.classList.contains("bo-held")) {
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) < 6) return;
      held.classList.add("bo-held");
      getSelection()?.removeAllRanges();
    }
    light(cellAt(event));
  });
  document.addEventListener("pointerup", (event) => {
    if (!held) return;
    const moved = held.classList.contains("bo-held"), cell = moved && cellAt(event), to = held.dataset.move, own = held.closest("td");
    if (moved) addEventListener("click", (click) => click.preventDefault(), { capture: true, once: true });
    drop();
    if (cell && cell !== own) setTimeout(() => location.assign(`${to}?start=${cell.dataset.at}`));
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && drop());
  week.addEventListener("click", (event) => {
    const cell = event.target.closest("td[data-state=free]");
    if (cell && !event.target.closest("a")) location.assign(`${week.dataset.book}?start=${cell.dataset.at}`);
  });
}
