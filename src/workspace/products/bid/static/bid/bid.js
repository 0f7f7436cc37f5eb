// What scripts add to a client's page, which works without them: the total follows the selection, the signed PDF appears
// when it is ready, and the owner is notified that the proposal was opened, with how long each part was read.
(() => {
  const page = location.pathname;
  const form = document.querySelector("form[data-offer]");
  const hash = document.querySelector("input[name=hash]")?.value || "";
  const began = performance.now();

  // A view is reported once the page is visible to a person, so programs that only fetch it do not count.
  const tell = (told) => navigator.sendBeacon(`${page.replace(/\/(sum|approve|decline|ask|code)$/, "")}/seen`, new URLSearchParams(told));
  const whenSeen = () => {
    if (document.visibilityState === "visible" && !document.prerendering) { tell({ hash }); watch(); return; }
    document.addEventListener("visibilitychange", whenSeen, { once: true });
  };
  function watch() {
    const seen = new Map();
    const parts = new IntersectionObserver((entries) => entries.forEach(({ target, isIntersecting }) => {
      const part = seen.get(target) || { name: target.dataset.part, since: 0, spent: 0 };
      if (isIntersecting && !part.since) part.since = performance.now();
      if (!isIntersecting && part.since) { part.spent += performance.now() - part.since; part.since = 0; }
      seen.set(target, part);
    }), { threshold: 0.2 });
    document.querySelectorAll("[data-part]").forEach((part) => parts.observe(part));
    document.addEventListener("visibilitychange", () => {
      const told = {};
      for (const part of seen.values()) {
        if (document.visibilityState === "hidden") {
          if (part.since) part.spent += performance.now() - part.since;
          part.since = part.since ? -1 : 0;
          const spent = Math.round(part.spent / 1000);
          part.spent = 0;
          if (spent) told[`s_${part.name}`] = (told[`s_${part.name}`] || 0) + spent;
        } else if (part.since) part.since = performance.now();
      }
      if (Object.keys(told).length) tell(told);
    });
  }
  setTimeout(whenSeen, 0);

  // The signed PDF is created after the approval. When it is ready, its link takes the place of the notice.
  const pending = document.querySelector("[data-pending]");
  let wait = 2000;
  async function findSignedPdf() {
    const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
    const link = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-signed]");
    if (link) { pending.replaceChildren(link); return; }
    wait = Math.min(wait * 1.5, 30000);
    setTimeout(findSignedPdf, wait);
  }
  if (pending) setTimeout(findSignedPdf, wait);
  if (!form) return;

  const offer = JSON.parse(form.dataset.offer);
  const { before, after, minus, behind, point, group } = offer.money;
  function money(minor) {
    const digits = String(minor < 0n ? -minor : minor).padStart(offer.decimals + 1, "0");
    const cut = digits.length - offer.decimals;
    const whole = digits.slice(0, cut).replace(/\B(?=(\d{3})+$)/g, group);
    const number = whole + (offer.decimals ? point + digits.slice(cut) : "");
    return minor < 0n ? minus + number + behind : before + number + after;
  }
  globalThis.proposalMoney = money;

  const button = form.querySelector("[data-approve]"), sum = form.querySelector("[data-total]");
  function reckon() {
    const options = new Set([...form.querySelectorAll("input[name=option]:checked")].map((one) => one.value));
    const taken = form.querySelector("input[name=package]:checked");
    const found = globalThis.proposalTotals(offer, { package: taken ? taken.value : null, options });
    const shown = { ...found, discount: -found.discount };
    for (const row of form.querySelectorAll("[data-figure]")) {
      const kind = row.dataset.figure, amount = shown[kind];
      row.hidden = kind === "subtotal" ? !found.discount && !found.tax : kind === "balance" ? !found.deposit : kind !== "total" && !amount;
      row.querySelector("dd").textContent = money(amount);
    }
    sum.textContent = money(found.total);
    button.textContent = button.dataset.approve.replace("%s", money(found.total));
    form.elements.total.value = String(found.total);
  }
  form.querySelector("[data-plain]")?.remove(); // Enter approves now, and does not recalculate
  form.addEventListener("change", (event) => { if (["package", "option"].includes(event.target.name)) reckon(); });
  addEventListener("pageshow", reckon);

  const written = form.querySelector("[data-written]");
  const write = () => { written.textContent = form.elements.name.value; written.hidden = !form.elements.name.value.trim() || Boolean(form.elements.drawn.value); };
  form.elements.name.addEventListener("input", write);

  form.elements.drawn.addEventListener("change", write);
  write();
  form.addEventListener("submit", () => {
    form.elements.zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
    form.elements.seconds.value = String(Math.round((performance.now() - began) / 1000));
  });
})();
