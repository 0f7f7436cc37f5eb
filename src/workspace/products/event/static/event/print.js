// The print view of a personal program: only sessions that are starred on this phone, and the print dialog immediately.
(() => {
  const page = document.querySelector("[data-program]");
  document.querySelector("[data-print]").hidden = false;
  document.querySelector("[data-print]").addEventListener("click", () => print());
  if (!page || location.hash !== "#mine") return;
  let stars = {};
  try { stars = JSON.parse(localStorage.getItem(`program-${page.dataset.program}`)).stars || {}; } catch { return; }
  const all = (found) => [...document.querySelectorAll(found)];
  // A day that has several sheets, by room, is one list here.
  all(".across").forEach((part) => part.classList.remove("across"));
  const first = {};
  all(".day").forEach((day) => {
    first[day.dataset.day] ||= day.querySelector("tbody");
    const into = first[day.dataset.day];
    if (day.contains(into)) return;
    const there = new Set([...into.querySelectorAll("li")].map((item) => item.dataset.id));
    day.querySelectorAll(".hour").forEach((hour) => {
      hour.querySelectorAll("li").forEach((item) => { if (there.has(item.dataset.id)) item.remove(); });
      const later = [...into.querySelectorAll(".hour")].find((one) => Number(one.dataset.n) >= Number(hour.dataset.n));
      if (later && later.dataset.n === hour.dataset.n) later.querySelector("ul").append(...hour.querySelectorAll("li"));
      else into.insertBefore(hour, later || null);
    });
    day.remove();
  });
  all(".part").forEach((part) => part.remove());
  all("li[data-id]").forEach((item) => { item.hidden = !(item.dataset.id in stars); });
  all(".hour, .day").forEach((part) => { part.hidden = !part.querySelector("li[data-id]:not([hidden])"); });
  page.classList.add("mine");
  document.querySelector("[data-mine-title]").hidden = false;
  print();
})();
