// Check-in while there is no connection: a page that says so. No personal data from check-in is stored. After signing
// out, the page is no longer available. `store.js` is loaded first.
const STORE = "door", AWAY = "/app/check-in/offline";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(clients.claim().then(keep)));
self.addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetch(request).then((answer) => seen(event, answer), () => away()));
  else if (url.pathname.startsWith("/static/")) event.respondWith(fetch(request).catch(() => part(url.pathname)));
});

async function keep() {
  const answer = await fetch(AWAY).catch(() => null);
  if (!answer) return;
  if (!answer.ok || answer.redirected) return void deleteStores(STORE);
  const html = await answer.clone().text(), kept = await openStoreOf(html, STORE);
  const parts = [...html.matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)].map((one) => one[1]);
  await Promise.all(parts.map((one) => kept?.add(one).catch(() => {})));
  await kept?.put(AWAY, answer); // last, so that a stored page has its scripts and styles
}

// the lists may have changed, and a response with another URL may be the sign-in page
function seen(event, answer) {
  if (event.request.method === "GET") event.waitUntil(keep());
  return answer;
}

const away = async () => (await (await openStore(STORE))?.match(AWAY)) || Response.error();
const part = async (path) => (await caches.match(path)) || Response.error();
