// A block of code that is wider than the page can be scrolled by keyboard, too.
function reachable() {
  for (const code of document.querySelectorAll("pre > code, .md-typeset__scrollwrap")) {
    if (code.scrollWidth > code.clientWidth) code.tabIndex = 0;
  }
}
addEventListener("load", reachable);
addEventListener("resize", reachable);
// The theme names its selector of versions by what it does alone; whoever speaks to a browser says what is written on it.
function named(header) {
  const current = header.querySelector(".md-version__current");
  if (current) current.setAttribute("aria-label", `${current.innerText}: select version`);
}
new MutationObserver(([change]) => named(change.target)).observe(document.querySelector(".md-header__topic"), {childList: true});
