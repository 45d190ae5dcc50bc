// Keeps the page, so that it opens without a network: local games, the lab and replays need none. Files that are
// named by their content come from what is kept, all others from the network while there is one.
"use strict";
const kept = "tickback-{{.Version}}";
const files = {{.Files}};
const forever = new Set(files.filter((name) => name.startsWith("assets/")).map((name) => new URL(name, registration.scope).href));

addEventListener("install", (e) => {
  e.waitUntil(caches.open(kept).then((cache) => cache.addAll(files)).then(() => skipWaiting()));
});

addEventListener("activate", (e) => {
  const old = (name) => name.startsWith("tickback-") && name !== kept;
  const clean = async () => {
    for (const name of (await caches.keys()).filter(old)) await caches.delete(name);
    await clients.claim();
  };
  e.waitUntil(clean());
});

const fromKept = async (request) => (await caches.open(kept)).match(request, { ignoreSearch: true });

addEventListener("fetch", (e) => {
  const { method, mode, url } = e.request;
  const here = url.split(/[?#]/)[0];
  if (method !== "GET" || !here.startsWith(registration.scope)) return;
  if (forever.has(here)) e.respondWith(fromKept(e.request).then((file) => file || fetch(e.request)));
  else if (mode === "navigate" && here === registration.scope || files.some((name) => here === new URL(name, registration.scope).href))
    e.respondWith(fetch(e.request).catch(async (error) => (await fromKept(here)) || Promise.reject(error)));
});
