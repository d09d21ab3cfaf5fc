// Keeps the whole site in the browser, so that it works without a network (only on the site without a server).

navigator.serviceWorker?.register("sw.js").then(
  () => navigator.serviceWorker.ready.then(() => (document.documentElement.dataset.offline = "ready")),
  // A file opened without any server has no service workers; the page itself works.
  () => undefined,
);
