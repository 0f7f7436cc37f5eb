// Binds the data on this device to one person in one account. Data of others is deleted: caches named
// "private/OWNER/…", and stored values with such names. Values named "unsent/OWNER/…" contain no names of people. They
// wait for their owner, and signing out asks before deleting them. Service workers read the current owner from the
// cache "device".
(() => {
  const { owner, unsent } = document.currentScript.dataset;
  const isForeign = (name) => name.startsWith("private/") ? !owner || !name.startsWith(`private/${owner}/`) : /^(seat-)?door-1$/.test(name);
  const values = () => { try { return Object.keys(localStorage); } catch { return []; } };

  async function bind() {
    if (!window.caches) return;
    const names = await caches.keys();
    await Promise.all(names.filter(isForeign).map((name) => caches.delete(name)));
    if (owner) await (await caches.open("device")).put("/app/owner", new Response(owner));
    else await caches.delete("device");
  }

  values().filter(isForeign).forEach((name) => localStorage.removeItem(name));
  bind().catch(() => {});

  document.addEventListener("submit", (event) => {
    if (!/^\/sign-out\/?$/.test(new URL(event.target.action, location).pathname)) return;
    const count = values().filter((name) => name.startsWith("unsent/")).reduce((sum, name) => {
      try { return sum + JSON.parse(localStorage.getItem(name)).length; } catch { return sum; }
    }, 0);
    if (count && !confirm(unsent.replace("%(count)s", count))) event.preventDefault();
  }, true);
})();
