// Keeps every file of the pages, so that a second visit needs no network. The build fills in the list of files and the name of the cache.
// A new version waits until no tab of the old one is left, so every open tab keeps the files that it was built with.
const KEPT = "anglerfish-VERSION";
const FILES = "FILES";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)));
});

// No tab of the old version is left.
self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("anglerfish-") && name !== KEPT;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("message", (event) => {
  if (event.data === "begin") event.waitUntil(self.skipWaiting());
});

/** Lets the new version begin if the tab that asks for the page is the last one. The tab then loads again. */
async function updated() {
  const { waiting } = self.registration;
  if (!waiting || (await self.clients.matchAll()).length > 1) return null;
  waiting.postMessage("begin");
  // The header Refresh would only jump to the part of the address after #.
  return new Response("<!doctype html><script>location.reload()</script>", { headers: { "Content-Type": "text/html" } });
}

async function answer(request) {
  const navigates = request.mode === "navigate";
  const kept = await caches.open(KEPT);
  return (navigates && (await updated())) || (await kept.match(navigates ? new Request("./") : request, { ignoreSearch: true })) || fetch(request);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && new URL(request.url).origin === self.location.origin) event.respondWith(answer(request));
});
