// The page: its pictures, its switches, and the legend of its colours.
const trouble = text => Object.assign(document.getElementById("trouble"), {textContent: text, hidden: false});
const legend = facts => {
  const box = document.querySelector(".legend"), {least, most, low, high} = facts.scales[looked.what];
  const colour = ([r, g, b]) => `rgb(${r} ${g} ${b})`;
  box.querySelector(".ramp").style.background = `linear-gradient(to right, ${facts.stops.map(colour).join()})`;
  const even = looked.scale === "even", linear = looked.scale === "linear", ends = even ? EVEN : {low, high};
  const parts = [0, .25, .5, .75, 1].map(at => [at, linear ? at * most : ends.low * (ends.high / ends.low) ** at]);
  box.querySelector(".ticks").replaceChildren(...parts.map(([at, value]) => {
    const one = document.createElement("span");
    one.style.left = `${100 * at}%`;
    one.textContent = figure(value) + (even ? "×" : "");
    return one;
  }));
  box.querySelector("p").textContent = !most ? `No ${looked.what} at all.` : even
    ? `Times an even share of the table's ${looked.what}: good is one calm colour, bright is a hotspot; black is none.`
    : `Rows ${looked.what === "writes" ? "written" : "read"} a second in a range of keys: from ${figure(least)} to ${figure(most)} on this page; black is none.`;
};
const started = facts => {
  const heats = facts.sides.flatMap(side => side.heats), maps = [], pictures = [];
  let waiting = false;
  const drawAll = () => { if (!waiting) { waiting = true; requestAnimationFrame(drawNow); } };
  for (const [number, side] of facts.sides.entries()) {
    const mine = [], context = new OffscreenCanvas(1, 1).getContext("2d");
    context.font = FONT;
    const gutter = () => {
      const width = document.querySelector(`.map[data-side="${number}"] canvas`)?.clientWidth ?? 0;
      const wide = side.heats.map(heat => columnsOf(context, heat, width * KEYS_SHARE).reduce((sum, one) => sum + one.width, 0));
      return Math.max(58, ...wide) + 4;
    };
    const drawn = document.querySelector(`.nodes[data-side="${number}"] canvas`);
    const nodes = drawn ? nodesOf(drawn, side, facts, gutter, drawAll) : null;
    for (const [at, heat] of side.heats.entries()) {
      const figure = document.querySelector(`.map[data-side="${number}"][data-heat="${at}"]`), canvas = figure.querySelector("canvas");
      if (canvas) mine.push(Object.assign(mapOf(canvas, heat, facts, gutter), {nodes, shown: figure.querySelector(".shown")}));
    }
    maps.push(...mine);
    pictures.push(...mine, ...(nodes ? [nodes] : []));
  }
  const drawNow = () => {
    waiting = false;
    pictures.forEach(one => one.draw());
    legend(facts);
    for (const {heat, shown} of maps) {
      const [low, high] = keysOf(heat), [first, end] = looked.span.map(one => Math.round(one * heat.steps));
      shown.textContent = low === 0 && high === heat.buckets && first === 0 && end === heat.steps ? ""
        : `${spanOf(heat, first, end)}, ranges ${whole(low + 1)} to ${whole(high)} of ${whole(heat.buckets)}`;
    }
    document.querySelector("[data-do=back]").disabled = !looked.past.length;
    document.querySelector("[data-do=all]").disabled = isWhole(heats);
  };
  drawNow();
  for (const map of maps) hands(map, map.nodes, drawAll);
  let last = maps[0];
  for (const map of maps) map.canvas.addEventListener("focus", () => { last = map; });
  const DO = {
    in: () => last?.zoom?.(.5), out: () => last?.zoom?.(2),
    back: () => { back(); drawAll(); }, all: () => { showAll(heats); drawAll(); },
  };
  for (const one of document.querySelectorAll("[data-do]")) one.addEventListener("click", () => { hideTip(); DO[one.dataset.do](); });
  document.getElementById("bar").addEventListener("change", ({target}) => {
    if (target.name === "theme") document.documentElement.dataset.theme = target.value; else looked[target.name] = target.value;
    drawAll();
  });
  addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Backspace") DO.back(); else if (event.key === "0") DO.all(); else if (event.key === "Escape") {
      looked.cursor = null;
      hideTip();
      drawAll();
    }
  });
  addEventListener("scroll", hideTip, {passive: true});
  new ResizeObserver(drawAll).observe(document.querySelector("main"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  matchMedia("print").addEventListener("change", drawNow);
};
// A table that is only read shows its reads.
const begin = facts => {
  if (!facts.scales.writes.most && facts.scales.reads.most) {
    looked.what = "reads";
    document.querySelector("[name=what][value=reads]").checked = true;
  }
  looked.scale = document.querySelector("[name=scale]:checked").value;
  document.getElementById("bar").hidden = false;
  started(facts);
  document.documentElement.dataset.drawn = "yes";
};
if (window.DecompressionStream && window.OffscreenCanvas) {
  unpack(document.getElementById("data").textContent).then(begin).catch(error => {
    trouble(`The maps cannot be drawn: ${error}`);
    console.error(error);
  });
} else {
  trouble("This browser is too old to draw the maps; their sentences are below.");
}
