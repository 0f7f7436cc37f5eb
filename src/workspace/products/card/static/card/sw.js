// A card that was opened once also opens without a connection. The network always comes first, so that changes appear
// on the next load and a removed card is deleted. The stored card is used only if there is no response.
const KEPT = "cards-1";
const CARD = /^\/c\/[^/.]+$/i;
const CONTACT = /^\/c\/[^/.]+\.(vcf|svg)$/i;
const PARTS = /^\/(static|pictures|styles)\//i;
// says that no one has requested the contact yet, so storing it does not count as a saved contact
const AHEAD = { headers: { Purpose: "prefetch" } };

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (CARD.test(url.pathname)) event.respondWith(networkFirst(event, url, keepCard));
  else if (CONTACT.test(url.pathname)) event.respondWith(networkFirst(event, url, keep));
  else if (PARTS.test(url.pathname)) event.respondWith(networkFirst(event, url, keep));
});

async function takeOver() {
  await clients.claim();
  // the page that registered the worker was loaded before it
  for (const page of await clients.matchAll({ type: "window" })) {
    const url = new URL(page.url);
    if (CARD.test(url.pathname)) await keepCard(url, await fetch(url.pathname, AHEAD)).catch(() => {});
  }
}

async function networkFirst(event, url, keeping) {
  let answer;
  try {
    answer = await fetch(event.request);
  } catch (problem) {
    const kept = await caches.match(url.pathname);
    if (kept) return kept;
    throw problem;
  }
  event.waitUntil(keeping(url, answer.clone()).catch(() => {}));
  return answer;
}

async function keep(url, answer) {
  const cache = await caches.open(KEPT);
  const may = answer.ok && !(answer.headers.get("Cache-Control") || "").includes("no-store");
  await (may ? cache.put(url.pathname, answer) : cache.delete(url.pathname));
  return may;
}

async function keepCard(url, answer) {
  const html = await answer.clone().text();
  const contact = `${url.pathname}.vcf`;
  if (!(await keep(url, answer))) {
    await (await caches.open(KEPT)).delete(contact);
    return;
  }
  const parts = [...html.matchAll(/(?:href|src)="(\/[^"?]+)"/g)].map((found) => found[1]);
  for (const path of new Set([contact, ...parts.filter((part) => PARTS.test(part))])) {
    await keep(new URL(path, location), await fetch(path, AHEAD)).catch(() => {});
  }
}
