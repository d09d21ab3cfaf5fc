// Runs before the first paint (a classic script on purpose): light or dark as the visitor chose, else as the device says.
(function () {
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  function show() {
    var chosen = null;
    try {
      chosen = window.localStorage.getItem("gamebot.theme");
    } catch (_) {
      // Storage may be switched off; then the device decides.
    }
    document.documentElement.dataset.theme = chosen || (dark.matches ? "dark" : "light");
  }
  show();
  if (dark.addEventListener) dark.addEventListener("change", show);
})();
