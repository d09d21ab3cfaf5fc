// Runs before the first paint (a classic script on purpose): light or dark as the visitor chose, else as the device says;
// and whether the page stands on a kiosk (?kiosk, or a browser without any frame), where nothing leads away from it.
(function () {
  var root = document.documentElement;
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  var frameless = window.matchMedia("(display-mode: fullscreen)");
  function show() {
    var chosen = null;
    try {
      chosen = window.localStorage.getItem("gamebot.theme");
    } catch (_) {
      // Storage may be switched off; then the device decides.
    }
    var known = chosen === "light" || chosen === "dark";
    root.dataset.theme = known ? chosen : dark.matches ? "dark" : "light";
  }
  function stand() {
    root.toggleAttribute("data-kiosk", frameless.matches || /[?&]kiosk\b/.test(window.location.search));
  }
  show();
  stand();
  if (dark.addEventListener) {
    dark.addEventListener("change", show);
    frameless.addEventListener("change", stand);
  }
})();
