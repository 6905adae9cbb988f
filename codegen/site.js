// A block of code that is wider than the page can be scrolled by keyboard, too.
function reachable() {
  for (const code of document.querySelectorAll("pre > code, .md-typeset__scrollwrap")) {
    if (code.scrollWidth > code.clientWidth) code.tabIndex = 0;
  }
}
addEventListener("load", reachable);
addEventListener("resize", reachable);
