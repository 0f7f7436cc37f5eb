(() => {
  // The row can be swiped. If it does not fit, its buttons turn it.
  const row = document.querySelector(".carousel .says"), turn = document.querySelector(".turn");
  if (row && turn) {
    const [back, on] = turn.children;
    const show = () => {
      const most = row.scrollWidth - row.clientWidth, at = Math.abs(row.scrollLeft);
      turn.hidden = most < 2;
      for (const [button, ends] of [[back, at < 8], [on, at > most - 8]]) button.setAttribute("aria-disabled", String(ends));
    };
    const go = (way) => row.scrollBy({ left: way * Math.max(row.firstElementChild.offsetWidth, row.clientWidth - 80) });
    back.addEventListener("click", () => go(-1));
    on.addEventListener("click", () => go(1));
    row.addEventListener("scroll", show, { passive: true });
    new ResizeObserver(show).observe(row);
  }
})();
