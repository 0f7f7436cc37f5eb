// The grid: blocks at their times, which can be dragged, resized and moved with the keyboard. Each drop is one call.
(() => {
  const board = document.querySelector("[data-board]"), dialog = document.getElementById("move");
  if (!board || !dialog) return;
  const said = document.querySelector("[data-said]"), snap = document.getElementById("snap");
  const PX = 1.6, HOUR = 60 * PX; // pixels per minute
  const token = dialog.querySelector("[name=csrfmiddlewaretoken]").value;
  const text = (minutes) => {
    const within = ((minutes % 1440) + 1440) % 1440;
    return `${String(Math.floor(within / 60)).padStart(2, "0")}:${String(within % 60).padStart(2, "0")}`;
  };
  const step = () => Number(snap.value);
  const snapped = (minutes) => Math.round(minutes / step()) * step();
  let first = 0, last = 1440;

  document.querySelector("[data-snap]").hidden = false;
  board.classList.add("is-laid");
  try { if (localStorage.getItem("event-snap")) snap.value = localStorage.getItem("event-snap"); } catch { /* not stored */ }
  snap.addEventListener("change", () => { try { localStorage.setItem("event-snap", snap.value); } catch { /* not stored */ } });

  function lay() {
    const grid = document.getElementById("grid");
    first = Number(grid.dataset.first);
    last = Math.max(Number(grid.dataset.last), first + 60);
    const hours = document.createElement("div");
    hours.className = "ev-hours";
    hours.setAttribute("aria-hidden", "true");
    grid.prepend(hours);
    grid.querySelectorAll(".ev-col ol").forEach((list) => {
      list.style.height = `${(last - first) * PX}px`;
      list.style.setProperty("--hour", HOUR);
      beside(list);
    });
    const top = grid.querySelector(".ev-col ol").offsetTop - hours.offsetTop;
    for (let at = first; at <= last; at += 60) {
      const mark = document.createElement("span");
      mark.textContent = text(at);
      mark.style.top = `${top + (at - first) * PX}px`;
      hours.append(mark);
    }
  }

  // Blocks in one room that overlap are shown side by side.
  function beside(list) {
    const blocks = [...list.children].sort((a, b) => a.dataset.at - b.dataset.at);
    let group = [], until = -1;
    const close = () => {
      const lanes = [];
      group.forEach((one) => {
        let lane = lanes.findIndex((end) => end <= Number(one.dataset.at));
        if (lane < 0) lane = lanes.length;
        lanes[lane] = Number(one.dataset.at) + Number(one.dataset.long);
        one.dataset.lane = lane;
      });
      group.forEach((one) => {
        one.style.insetInlineStart = `${(100 / lanes.length) * Number(one.dataset.lane)}%`;
        one.style.insetInlineEnd = `calc(${100 - (100 / lanes.length) * (Number(one.dataset.lane) + 1)}% + 2px)`;
      });
    };
    blocks.forEach((one) => {
      const at = Number(one.dataset.at), long = Number(one.dataset.long);
      one.style.top = `${(at - first) * PX}px`;
      one.style.height = `${Math.max(long, 20) * PX - 1}px`;
      one.classList.toggle("is-short", long * PX < 52);
      if (one.dataset.color) one.style.borderInlineStartColor = one.dataset.color;
      if (at >= until) { close(); group = []; until = -1; }
      group.push(one);
      until = Math.max(until, at + long);
    });
    close();
  }

  async function send(id, values) {
    const body = new FormData();
    body.set("csrfmiddlewaretoken", token);
    body.set("_day", board.dataset.day);
    Object.entries(values).forEach(([name, value]) => body.set(name, value));
    let answer;
    try {
      answer = await (await fetch(`${board.dataset.url}/${id}`, { method: "POST", body, headers: { "HX-Request": "true" }, redirect: "error" })).json();
    } catch {
      answer = { error: board.dataset.offline };
    }
    if (answer.error) { said.textContent = answer.error; return answer; }
    const { scrollLeft: left, scrollTop: top } = document.getElementById("grid"), was = first;
    board.innerHTML = answer.grid;
    document.getElementById("bar").outerHTML = answer.bar;
    lay();
    document.getElementById("grid").scrollTo({ left, top: top + (was - first) * PX, behavior: "instant" });
    said.textContent = answer.said;
    return answer;
  }

  const room = (block) => block.closest("[data-room]").dataset.room;
  const times = (block, at, long) => (block.dataset.ends ? { start_time: text(at), end_time: text(at + long) } : { start_time: text(at) });

  let drag = null, moved = false;
  board.addEventListener("pointerdown", (event) => {
    const block = event.target.closest(".ev-block");
    if (!block || event.button !== 0) return;
    const sizing = event.target.closest(".ev-size"), grip = event.target.closest(".ev-grip");
    if (event.pointerType === "touch" && !sizing && !grip) return; // the page scrolls
    drag = { block, sizing: Boolean(sizing), x: event.clientX, y: event.clientY, at: Number(block.dataset.at), long: Number(block.dataset.long), room: room(block), to: null, id: event.pointerId, grid: document.getElementById("grid") };
    const ends = [...board.querySelectorAll(".ev-col ol")], at = block.parentElement.offsetLeft + block.offsetLeft;
    const sides = [ends[0], ends.at(-1)].flatMap((one) => [one.offsetLeft, one.offsetLeft + one.offsetWidth]);
    Object.assign(drag, { left: drag.grid.scrollLeft, top: drag.grid.scrollTop, least: Math.min(...sides) - at, most: Math.max(...sides) - at - block.offsetWidth });
    moved = false;
  });
  // At an edge of the grid, the grid scrolls, and the dragged block moves with it.
  const EDGE = 44;
  const pull = (at, from, to) => (at < from + EDGE ? -Math.min(EDGE, from + EDGE - at) : at > to - EDGE ? Math.min(EDGE, at - to + EDGE) : 0) / 5;
  function roll() {
    if (!drag) return;
    const { grid, point } = drag, box = grid.getBoundingClientRect();
    const heads = grid.querySelector("h3").offsetHeight, hours = grid.querySelector(".ev-hours").offsetWidth;
    const rtl = getComputedStyle(grid).direction === "rtl";
    const was = grid.scrollLeft + grid.scrollTop;
    grid.scrollBy({
      left: drag.sizing ? 0 : pull(point.clientX, box.left + (rtl ? 0 : hours), box.right - (rtl ? hours : 0)),
      top: pull(point.clientY, Math.max(box.top, 0) + heads, Math.min(box.bottom, innerHeight)),
      behavior: "instant",
    });
    if (grid.scrollLeft + grid.scrollTop !== was) follow(point);
    requestAnimationFrame(roll);
  }
  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    drag.point = event;
    if (!moved && Math.abs(event.clientX - drag.x) + Math.abs(event.clientY - drag.y) < 5) return;
    if (!moved) {
      moved = true;
      drag.block.classList.add("is-dragged");
      drag.block.setPointerCapture?.(drag.id);
      requestAnimationFrame(roll);
    }
    event.preventDefault();
    follow(event);
  });
  function follow(event) {
    const dy = event.clientY - drag.y + drag.grid.scrollTop - drag.top, dx = event.clientX - drag.x + drag.grid.scrollLeft - drag.left;
    if (drag.sizing) {
      drag.newLong = Math.max(5, snapped(drag.at + drag.long + dy / PX) - drag.at);
      drag.block.style.height = `${drag.newLong * PX - 1}px`;
    } else {
      drag.newAt = Math.min(Math.max(snapped(drag.at + dy / PX), 0), 1435);
      drag.block.style.top = `${(drag.newAt - first) * PX}px`;
      drag.block.style.transform = `translateX(${Math.min(Math.max(dx, drag.least), drag.most)}px)`;
      const under = [...board.querySelectorAll(".ev-col")].find((column) => {
        const box = column.getBoundingClientRect();
        return event.clientX >= box.left && event.clientX < box.right;
      });
      board.querySelectorAll(".is-over").forEach((one) => one.classList.remove("is-over"));
      if (under) { under.querySelector("ol").classList.add("is-over"); drag.to = under.dataset.room; }
    }
    drag.block.querySelector("time").textContent = drag.sizing ? `${text(drag.at)}–${text(drag.at + drag.newLong)}` : text(drag.newAt) + (drag.block.dataset.ends ? `–${text(drag.newAt + drag.long)}` : "");
  }
  async function drop() {
    const { block, sizing, at, long, newAt, newLong } = drag, to = drag.to ?? drag.room, from = drag.room;
    drag = null;
    block.classList.remove("is-dragged");
    if (!moved) return;
    const values = sizing ? { start_time: text(at), end_time: text(at + newLong) } : times(block, newAt ?? at, long);
    if (!sizing && to !== from) values.location = to;
    const answer = await send(block.dataset.id, values);
    if (answer.error) { block.style.transform = ""; beside(block.parentElement); }
  }
  document.addEventListener("pointerup", (event) => { if (drag && event.pointerId === drag.id) drop(); });
  document.addEventListener("pointercancel", () => {
    if (!drag) return;
    drag.block.style.transform = "";
    drag.block.classList.remove("is-dragged");
    beside(drag.block.parentElement);
    drag = null;
  });
  board.addEventListener("dragstart", (event) => event.preventDefault());
  board.addEventListener("click", (event) => {
    if (moved) { event.preventDefault(); moved = false; return; }
    const opener = event.target.closest("[data-open]");
    if (opener) { event.preventDefault(); open(opener.closest(".ev-block")); }
  });

  board.addEventListener("keydown", async (event) => {
    const block = event.target.closest(".ev-block");
    if (!block || !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    const at = Number(block.dataset.at), long = Number(block.dataset.long), id = block.dataset.id;
    const by = { ArrowUp: -step(), ArrowDown: step() }[event.key];
    let values;
    if (by && event.shiftKey) {
      if (long + by < 5) return;
      values = { start_time: text(at), end_time: text(at + long + by) };
    } else if (by) {
      const to = Math.min(Math.max(snapped(at + by), 0), 1435);
      if (to === at) return;
      values = times(block, to, long);
    } else {
      const rooms = [...board.querySelectorAll("[data-room]")].map((one) => one.dataset.room);
      const forth = (event.key === "ArrowRight") !== (getComputedStyle(board).direction === "rtl");
      const to = rooms[rooms.indexOf(room(block)) + (forth ? 1 : -1)];
      if (to === undefined) return;
      values = { location: to };
    }
    await send(id, values);
    document.querySelector(`#g-${id} a`)?.focus();
  });

  function open(block) {
    const at = Number(block.dataset.at), form = dialog.querySelector("form");
    dialog.querySelector("h2").textContent = block.querySelector("b").textContent;
    form.dataset.id = block.dataset.id;
    form.elements.start_time.value = text(at);
    form.elements.end_time.value = block.dataset.ends;
    form.elements.location.value = room(block);
    form.elements.day.value = board.dataset.day;
    dialog.querySelector("[data-all]").href = block.querySelector("a").href;
    dialog.querySelector("[data-wrong]").hidden = true;
    dialog.showModal();
  }
  dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
  dialog.addEventListener("submit", async (event) => {
    event.preventDefault();
    event.stopPropagation();
    const form = event.target, note = dialog.querySelector("[data-wrong]");
    const answer = await send(form.dataset.id, { start_time: form.elements.start_time.value, end_time: form.elements.end_time.value, location: form.elements.location.value, day: form.elements.day.value });
    note.textContent = answer.error || "";
    note.hidden = !answer.error;
    if (!answer.error) dialog.close();
  }, true);
  lay();
})();
