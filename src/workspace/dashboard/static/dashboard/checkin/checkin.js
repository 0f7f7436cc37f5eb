// Check-in without a connection: a service worker stores a page that says so, and the lists on this device are offered.
(() => {
  const off = document.getElementById("door-off");
  for (const one of document.querySelectorAll("[data-kept]")) {
    const link = one.matches("a") ? one : one.querySelector("a") || document.querySelector("[data-kept] a");
    window.caches?.match(new URL(link.href).pathname).then((found) => { one.hidden = !found; }).catch(() => {});
  }
  if (!off) return;
  const tell = (is) => { off.hidden = !is; };
  addEventListener("offline", () => tell(true));
  addEventListener("online", () => tell(false));
  document.addEventListener("htmx:sendError", () => tell(true));
  document.addEventListener("htmx:afterOnLoad", () => tell(false));
  tell(!navigator.onLine);
  navigator.serviceWorker?.register("/app/check-in-worker.js", { scope: "/app/check-in" }).catch(() => {});
})();
