// Only browsers without ES modules run this file: they get told so instead of an empty page.
document.getElementById("old-browser").removeAttribute("hidden");
