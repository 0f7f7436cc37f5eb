// Stores the check-in page of a chart for use without a connection. The network is asked first. If the person is signed
// out or the chart was deleted, the stored pages are deleted. `store.js` of the dashboard is loaded before this file.
const STORE = "seat-door";
const DOOR = /^\/app\/seat\/[^/]+\/door$/;
const PARTS = /^\/static\//;
const GONE = [401, 403, 404, 410];
// A navigation does not follow redirects: its response is opaque, without URL and status.
const isRedirect = (answer) => answer.type === "opaqueredirect" || answer.redirected;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (DOOR.test(url.pathname)) event.respondWith(answerDoor(event, url.pathname));
  else if (PARTS.test(url.pathname)) event.respondWith(fetch(event.request).catch(() => findPart(url.pathname)));
});

async function takeOver() {
  await clients.claim();
  for (const page of await clients.matchAll({ type: "window" })) {
    const { pathname } = new URL(page.url);
    if (!DOOR.test(pathname)) continue;
    const answer = await fetch(pathname).catch(() => null);
    if (answer) await storeDoor(pathname, answer);
  }
}

async function storeDoor(path, answer) {
  if (isRedirect(answer) || GONE.includes(answer.status)) return deleteStores(STORE);
  if (!answer.ok) return;
  const html = await answer.clone().text(), store = await openStoreOf(html, STORE);
  if (!store) return;
  await store.put(path, answer);
  const parts = [...html.matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)].map((one) => one[1]);
  await Promise.all(parts.map((part) => store.add(part).catch(() => {})));
}

async function answerDoor(event, path) {
  try {
    const answer = await fetch(event.request);
    event.waitUntil(storeDoor(path, answer.clone()));
    return answer;
  } catch (problem) {
    const found = await (await openStore(STORE))?.match(path);
    if (found) return found;
    throw problem;
  }
}

async function findPart(path) {
  return (await caches.match(path)) || Response.error();
}
