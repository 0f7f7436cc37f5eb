// For service workers that store pages of an account. A store belongs to one person in one account: the page names
// them, and `device.js` tells the worker who is working here now. No one else gets the stored pages.
const OWNER = /device\.[^"]*"[^>]* data-owner="([0-9a-f]+)"/;

async function openStoreOf(html, name) {
  const owner = html.match(OWNER)?.[1];
  return owner && caches.open(`private/${owner}/${name}`);
}

async function openStore(name) {
  const note = await caches.match("/app/owner", { cacheName: "device" });
  return note && caches.open(`private/${await note.text()}/${name}`);
}

async function deleteStores(name) {
  const names = await caches.keys();
  await Promise.all(names.filter((one) => one.startsWith("private/") && one.endsWith(`/${name}`)).map((one) => caches.delete(one)));
}
