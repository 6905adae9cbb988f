"use strict";
// Everything works without this: it only saves a click.
for (const there of document.querySelectorAll("input[data-of]")) {
  const field = document.getElementById(there.dataset.of);
  field.addEventListener("input", () => { there.checked = true; });
}
document.querySelector("[aria-invalid]")?.focus();
