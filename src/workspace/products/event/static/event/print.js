// The print view of one's own day: only what is starred on this phone, and the printer at once.
(() => {
  const page = document.querySelector("[data-program]");
  document.querySelector("[data-print]").hidden = false;
  document.querySelector("[data-print]").addEventListener("click", () => print());
  if (!page || location.hash !== "#mine") return;
  let stars = {};
  try { stars = JSON.parse(localStorage.getItem(`program-${page.dataset.program}`)).stars || {}; } catch { return; }
  const all = (found) => [...document.querySelectorAll(found)];
  all("li[data-id]").forEach((item) => { item.hidden = !(item.dataset.id in stars); });
  all(".hour, .day").forEach((part) => { part.hidden = !part.querySelector("li[data-id]:not([hidden])"); });
  page.classList.add("mine");
  document.querySelector("[data-mine-title]").hidden = false;
  print();
})();
