// Keeps the files of one build, so that the page works without a network. The build fills in its version and its files.
const cache = "hemiola-VERSION_OF_BUILD";
const files = ["FILES_OF_BUILD"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(cache).then((kept) => kept.addAll(files)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith("hemiola-") && name !== cache;
  const clear = async () => Promise.all((await caches.keys()).filter(isOld).map((name) => caches.delete(name)));
  event.waitUntil(clear().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  const page = request.mode === "navigate" && new URL(request.url).href.startsWith(self.registration.scope);
  const kept = async () => {
    const found = await caches.open(cache).then((kept) => kept.match(page ? "./index.html" : request));
    return found ?? fetch(request);
  };
  event.respondWith(kept());
});
