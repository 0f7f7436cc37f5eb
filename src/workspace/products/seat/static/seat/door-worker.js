// Keeps the door's list of a chart for a place without signal. The network comes first; who is signed out, or whose chart
// is gone, has nothing kept any more.
const KEPT = "seat-door-1";
const DOOR = /^\/app\/seat\/[^/]+\/door$/;
const PARTS = /^\/static\//;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (DOOR.test(url.pathname) || PARTS.test(url.pathname)) event.respondWith(networkFirst(event.request, url));
});

async function takeOver() {
  await clients.claim();
  for (const page of await clients.matchAll({ type: "window" })) {
    const url = new URL(page.url);
    if (!DOOR.test(url.pathname)) continue;
    const answer = await fetch(url.pathname).catch(() => null);
    if (!answer?.ok || answer.redirected) continue;
    const kept = await caches.open(KEPT), html = await answer.clone().text();
    await kept.put(url.pathname, answer);
    const parts = [...html.matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)].map((one) => one[1]);
    await Promise.all(parts.map((part) => kept.add(part).catch(() => {})));
  }
}

async function networkFirst(request, url) {
  const kept = await caches.open(KEPT);
  let answer;
  try {
    answer = await fetch(request);
  } catch (problem) {
    const found = await kept.match(url.pathname);
    if (found) return found;
    throw problem;
  }
  if (DOOR.test(url.pathname) && (answer.redirected || answer.status >= 400)) await caches.delete(KEPT);
  else if (answer.ok && !answer.redirected) await kept.put(url.pathname, answer.clone());
  return answer;
}
