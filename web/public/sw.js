// Keeps every file of the pages, so that a second visit needs no network. The build fills in the list of files and the name of the cache.
const KEPT = "anglerfish-VERSION";
const FILES = "FILES";

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((kept) => kept.addAll(FILES))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("anglerfish-") && name !== KEPT;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  const wanted = request.mode === "navigate" ? new Request("./") : request;
  event.respondWith(
    caches
      .open(KEPT)
      .then((kept) => kept.match(wanted, { ignoreSearch: true }))
      .then((found) => found ?? fetch(request)),
  );
});
