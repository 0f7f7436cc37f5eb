// A menu that was opened once also opens without a connection, and says when it was loaded. The network always comes
// first, so that changes appear on the next load and a removed menu is deleted.
const KEPT = "menus-1", MOST = 400; // files
const MENU = /^\/m\/[^/.]+$/i;
const PARTS = /^\/(static|pictures|styles)\//i;
const AHEAD = { headers: { Purpose: "prefetch" } }; // storing a menu is not a view

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(clients.claim()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (MENU.test(url.pathname) || PARTS.test(url.pathname)) event.respondWith(networkFirst(event, url));
});

// the page that registered the worker was loaded before it
self.addEventListener("message", (/** @type {any} */ event) => event.waitUntil(keepLoaded(event.data)));

async function keepLoaded({ page, parts }) {
  const cache = await caches.open(KEPT);
  const urls = [page, ...parts].map((part) => new URL(part, location.href));
  for (const url of urls.filter(({ origin, pathname }) => origin === location.origin && (MENU.test(pathname) || PARTS.test(pathname)))) {
    if (!(await cache.match(url.pathname))) await keep(url, await fetch(url.pathname, AHEAD)).catch(() => {});
  }
}

async function networkFirst(event, url) {
  let answer;
  try {
    answer = await fetch(event.request);
  } catch (problem) {
    const kept = await caches.match(url.pathname);
    if (kept) return MENU.test(url.pathname) ? stamp(kept) : kept;
    throw problem;
  }
  event.waitUntil(keep(url, answer.clone()).catch(() => {}));
  return answer;
}

// says in the page when it was loaded
async function stamp(kept) {
  const since = new Date(kept.headers.get("Date") || Date.now()).toISOString();
  const html = (await kept.text()).replace(/(data-offline="[^"]*")\s+hidden/, `$1 data-since="${since}"`);
  return new Response(html, { headers: kept.headers });
}

async function keep(url, answer) {
  const cache = await caches.open(KEPT);
  const may = answer.ok && !(answer.headers.get("Cache-Control") || "").includes("no-store");
  await (may ? cache.put(url.pathname, answer) : cache.delete(url.pathname));
  const held = await cache.keys();
  for (const old of held.slice(0, Math.max(0, held.length - MOST))) await cache.delete(old);
}
