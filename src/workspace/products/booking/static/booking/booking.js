// What scripts add to the month of a booking page: another day or month loads without a new page, and times are in the
// guest's time zone if the URL has none. Without scripts, links and forms do the same.
(() => {
  const place = "#b-when";
  const section = document.querySelector("section[data-zone]");
  const mine = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const asked = new URL(location.href);
  const in_zone = (address) => {
    const url = new URL(address, location.href);
    if (mine && !url.searchParams.has("zone")) url.searchParams.set("zone", mine);
    return url;
  };

  const isAway = section && mine && section.dataset.zone !== mine && !asked.searchParams.has("zone");
  let turns = 0;

  async function turn(address, keep) {
    const number = ++turns;
    let page;
    try {
      const answer = await fetch(address, { headers: { Accept: "text/html" } });
      if (!answer.ok) throw new Error(`${answer.status}`);
      page = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(place);
    } catch {
      page = null;
    }
    if (number !== turns) return undefined; // another day or month has been chosen since
    if (!page) return location.assign(address);
    document.querySelector(place).replaceWith(page);
    if (keep) return undefined;
    history.pushState({ turned: true }, "", address);
    const chosen = page.querySelector("legend") || page.querySelector(".note a, h2");
    chosen?.focus({ preventScroll: true });
    return undefined;
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-turn]");
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    turn(isAway ? in_zone(link.href) : link.href);
  });
  addEventListener("popstate", () => { if (document.querySelector(place)) location.reload(); });

  for (const link of document.querySelectorAll("a.b-service")) link.href = in_zone(link.href);
  if (isAway) {
    const first = section.querySelector("a[data-turn], a[href*='/zones']");
    const there = in_zone(asked);
    if (first) turn(there, true);
  }
})();
