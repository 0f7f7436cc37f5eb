// A program that was opened once also opens without a connection. The network comes first, for two seconds. Then the
// copy is shown, which says how old it is. A removed program is deleted.
const BASE = new URL(self.registration.scope).pathname;
const KEPT = `program-1${BASE.toLowerCase()}`;
const LIMIT = 2000, MOST = 200 * 1024;
const PARTS = /^\/(static|pictures|styles)\//;
const AHEAD = { headers: { Purpose: "prefetch" } };  // what is stored in advance does not count as a visit
const ours = (url) => url.pathname === BASE || [".", "/"].includes(url.pathname[BASE.length]) && url.pathname.startsWith(BASE);
const page = (url) => url.pathname === BASE || /^\/(s|my)\/[^/.]+$|^\/(speakers|info|print)$/.test(url.pathname.slice(BASE.length));
const plain = (url) => [...url.searchParams.keys()].every((name) => name === "lang");

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (event.request.mode === "navigate" ? ours(url) && page(url) : PARTS.test(url.pathname) || url.pathname === `${BASE}.json` || url.pathname === `${BASE}.svg`) {
    event.respondWith(first(event, url));
  }
});

async function takeOver() {
  await clients.claim();
  // the page that registered the worker was loaded before it
  await keepPage(new URL(BASE, location), await fetch(BASE, AHEAD)).catch(() => {});
}

async function first(event, url) {
  const asked = fetch(event.request);
  const whole = asked.then((answer) => {
    if (answer.type !== "opaqueredirect" && (event.request.mode !== "navigate" || plain(url))) {
      const copy = answer.clone();
      event.waitUntil((event.request.mode === "navigate" && url.pathname === BASE ? keepPage : keep)(url, copy).catch(() => {}));
    }
    return answer;
  });
  event.waitUntil(whole.catch(() => {}));
  let late;
  try {
    return await Promise.race([whole, new Promise((_, give) => { late = setTimeout(give, LIMIT); })]);
  } catch {
    return (await copyOf(event.request, url)) || whole;
  } finally {
    clearTimeout(late);
  }
}

async function copyOf(request, url) {
  const cache = await caches.open(KEPT);
  const found = await cache.match(url.pathname);
  if (request.mode !== "navigate") return found;
  if (found) return dated(found);
  // a session that was never opened: the program contains it, too
  const session = url.pathname.slice(BASE.length).match(/^\/s\/([^/.]+)$/);
  return session && (await cache.match(BASE)) ? Response.redirect(`${BASE}#${session[1]}`) : undefined;
}

async function dated(found) {
  const html = await found.text();
  const headers = new Headers(found.headers);
  return new Response(html.replace("<html ", `<html data-as-of="${found.headers.get("X-Kept-At")}" `), { headers });
}

async function keep(url, answer) {
  const cache = await caches.open(KEPT);
  const may = answer.ok && !(answer.headers.get("Cache-Control") || "").includes("no-store");
  const body = may && (await answer.blob());
  if (!may || (url.pathname.startsWith("/pictures/") && body.size > MOST)) {
    await cache.delete(url.pathname);
    return false;
  }
  const headers = new Headers(answer.headers);
  headers.set("X-Kept-At", new Date().toISOString());
  headers.delete("Content-Encoding");
  await cache.put(url.pathname, new Response(body, { headers }));
  return true;
}

async function keepPage(url, answer) {
  const html = await answer.clone().text();
  if (!(await keep(url, answer))) {
    await caches.delete(KEPT);  // what is no longer shown
    return;
  }
  const cache = await caches.open(KEPT);
  const found = (text) => [...text.matchAll(/(?:href|src)="(\/[^"?#]+)"/g)].map((one) => one[1]).filter((part) => PARTS.test(part));
  const parts = new Set(found(html));
  for (const path of ["/print", "/info", "/speakers", ".json", ".svg"].map((end) => BASE + end)) {
    await fetch(path, AHEAD).then(async (more) => {
      if (path.includes("/", BASE.length)) found(await more.clone().text()).forEach((part) => parts.add(part));
      await keep(new URL(path, location), more);
    }).catch(() => {});
  }
  for (const path of parts) {
    if (await cache.match(path)) continue;  // their URLs change with their content
    await fetch(path, AHEAD).then((more) => keep(new URL(path, location), more)).catch(() => {});
  }
}
