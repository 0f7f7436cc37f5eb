// The kiosk page. Every step replaces the one before, so that the back button finds nothing. A form is submitted
// without leaving the page, so that no browser can submit it again. If a guest walks away, everything is cleared after
// a minute.
(() => {
  const place = document.querySelector("[data-kiosk]");
  if (!place) return;
  const { kiosk, start, idle, seconds } = place.dataset;
  const restart = () => location.replace(start);
  globalThis.kioskTimers ??= []; // these survive when the page is rewritten
  const timers = globalThis.kioskTimers;
  timers.splice(0).forEach(clearInterval);
  const each = (run, milliseconds) => timers.push(setInterval(run, milliseconds));

  if (performance.getEntriesByType("navigation")[0]?.type === "back_forward" && kiosk !== "start") { restart(); return; }
  addEventListener("pageshow", (event) => { if (event.persisted) restart(); });

  document.querySelector("[autofocus]")?.focus(); // a page that is rewritten does not do this

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link) return;
    event.preventDefault();
    if (link.origin === location.origin) location.replace(link.href);
  });

  // replaces the page with another one, whose scripts run when they are created again
  const show = (page) => {
    document.replaceChild(document.adoptNode(page.documentElement), document.documentElement);
    for (const parsed of document.querySelectorAll("script[src]")) {
      const script = document.createElement("script");
      for (const { name, value } of parsed.attributes) script.setAttribute(name, value);
      parsed.replaceWith(script);
    }
  };

  const form = document.querySelector("form");
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const sent = new FormData(form, event.submitter);
    document.body.inert = true;
    const lost = document.querySelector("[data-lost]");
    try {
      const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(sent), cache: "no-store" });
      if (answer.redirected) { location.replace(answer.url); return; }
      show(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch {
      document.body.inert = false;
      if (lost) { lost.hidden = false; lost.scrollIntoView({ block: "center" }); }
    }
  });

  if (seconds) each(restart, Number(seconds) * 1000);
  if (idle) {
    const dialog = document.querySelector("dialog"), left = dialog?.querySelector("[data-left]");
    let quiet = 0;
    const stir = () => { if (!dialog?.open) quiet = 0; };
    for (const what of ["pointerdown", "pointermove", "keydown", "input", "scroll"]) addEventListener(what, stir, { passive: true });
    dialog?.querySelector("[data-stay]").addEventListener("click", () => { dialog.close(); quiet = 0; });
    dialog?.addEventListener("close", () => { quiet = 0; });
    each(() => {
      quiet += 1;
      const rest = Number(idle) + (dialog ? 10 : 0) - quiet;
      if (rest <= 0) { restart(); return; }
      if (dialog && rest <= 10) { if (!dialog.open) dialog.showModal(); left.textContent = String(rest); }
    }, 1000);
  }
  if (kiosk === "start" && location.search) each(restart, 60_000); // the next guest may use another language
  if (kiosk === "start") navigator.wakeLock?.request("screen").catch(() => {});
})();
