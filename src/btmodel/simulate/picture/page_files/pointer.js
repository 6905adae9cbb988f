// The figures of one cell, beside the pointer, and spoken where keys moved there.
const tip = document.getElementById("tip"), said = document.getElementById("said");
const factsOf = (map, nodes, {step, bucket}) => {
  const {heat} = map, facts = [];
  const last = heat.low[bucket + 1] ?? "(the last key)";
  facts.push(["keys", `${heat.low[bucket]} … ${last}`]);
  heat.labels[bucket].forEach((text, at) => facts.push([heat.fields[at], text]));
  for (const what of ["writes", "reads"]) {
    const rate = heat[what].at(bucket, step), total = heat[what].totals[step];
    if (!heat[what].totals.some(Boolean)) continue;
    const part = total ? `, ${share(rate / total)} of the table's, ${figure(rate / heat[what].even)} × even` : "";
    facts.push([what, `${figure(rate)} rows/s${part}`]);
  }
  facts.push(["rows", `${figure(heat.rows[bucket])} in the end`]);
  return nodes ? facts.concat(nodes.told((step + .5) / heat.steps)) : facts;
};
const showCell = (map, nodes, cell, spoken) => {
  const box = map.canvas.getBoundingClientRect(), {x, y} = map.pointOf(cell);
  const title = spanOf(map.heat, cell.step, cell.step + 1), facts = factsOf(map, nodes, cell);
  showTip({x: box.left + x, y: box.top + y}, title, facts);
  if (spoken) said.textContent = [title, ...facts.map(([name, text]) => `${name}: ${text}`)].join("; ");
};
// Beside a point of the window, where there is room.
const showTip = ({x, y}, title, facts) => {
  const head = document.createElement("b"), list = document.createElement("dl");
  head.textContent = title;
  for (const [name, text] of facts) {
    const [term, fact] = ["dt", "dd"].map(tag => document.createElement(tag));
    term.textContent = name;
    fact.textContent = text;
    if (name === "keys") fact.className = "keys";
    list.append(term, fact);
  }
  tip.replaceChildren(head, list);
  tip.hidden = false;
  const {width, height} = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(8, x + 18 + width < innerWidth ? x + 18 : x - 18 - width)}px`;
  tip.style.top = `${Math.max(8, Math.min(y + 14, innerHeight - height - 8))}px`;
};
const hideTip = () => { tip.hidden = true; };

// Mouse, wheel, touch and keys on a map.
const LEAST = 5;  // points that a drag must go to be one
const hands = (map, nodes, drawAll) => {
  const {canvas, heat} = map;
  const pointAt = event => { const box = canvas.getBoundingClientRect(); return {x: event.clientX - box.left, y: event.clientY - box.top}; };
  const inside = ({x, y}) => x >= map.box.left && x <= map.box.left + map.box.width && y >= map.box.top && y <= map.box.top + map.box.height;
  const lead = (cell, spoken) => {
    looked.cursor = {heat, ...cell, time: (cell.step + .5) / heat.steps};
    drawAll();
    showCell(map, nodes, cell, spoken);
  };
  const leave = () => {
    looked.cursor = null;
    hideTip();
    drawAll();
  };
  let down = null;
  canvas.addEventListener("pointerdown", event => {
    const point = pointAt(event);
    if (event.button || !inside(point)) return;
    if (event.pointerType !== "touch") {
      down = point;
      canvas.setPointerCapture(event.pointerId);
    }
  });
  canvas.addEventListener("pointermove", event => {
    const point = pointAt(event);
    if (down && Math.hypot(point.x - down.x, point.y - down.y) >= LEAST) {
      const {left, top, width, height} = map.box;
      map.brush = {...down, toX: Math.min(Math.max(point.x, left), left + width), toY: Math.min(Math.max(point.y, top), top + height)};
    }
    if (map.brush) { hideTip(); drawAll(); } else if (inside(point)) lead(map.cellAt(point.x, point.y)); else leave();
  });
  canvas.addEventListener("pointerup", event => {
    const {brush} = map;
    down = map.brush = null;
    if (brush) {
      const steps = [brush.x, brush.toX].map(map.stepAt).sort((a, b) => a - b), keys = [brush.y, brush.toY].map(map.bucketAt).sort((a, b) => a - b);
      zoomTo(heat, steps, keys);
      drawAll();
    } else if (inside(pointAt(event))) lead(map.cellAt(pointAt(event).x, pointAt(event).y));
  });
  canvas.addEventListener("pointercancel", () => { down = map.brush = null; leave(); });
  canvas.addEventListener("pointerleave", () => { if (!down) leave(); });
  canvas.addEventListener("dblclick", () => { back(); hideTip(); drawAll(); });
  canvas.addEventListener("wheel", event => {
    const point = pointAt(event), scrolls = document.documentElement.scrollHeight > innerHeight;
    // The wheel is the page's where it scrolls, until the map was asked for.
    if (!inside(point) || (scrolls && !event.ctrlKey && document.activeElement !== canvas)) return;
    if (zoomBy(heat, event.deltaY < 0 ? .8 : 1.25, map.stepAt(point.x), map.bucketAt(point.y)) || event.ctrlKey) event.preventDefault();
    lead(map.cellAt(point.x, point.y));
  }, {passive: false});
  const cell = () => looked.cursor?.heat === heat ? looked.cursor : map.hottestInView();
  const move = (steps, buckets) => {
    const {step, bucket} = cell(), [first, end] = looked.span.map(one => Math.round(one * heat.steps)), [low, high] = keysOf(heat);
    const within = (value, from, to) => Math.min(Math.max(value, from), to - 1);
    lead({step: within(step + steps, first, end), bucket: within(bucket + buckets, low, high)}, true);
  };
  const KEYS = {
    ArrowLeft: far => move(-far, 0), ArrowRight: far => move(far, 0), ArrowUp: far => move(0, -far), ArrowDown: far => move(0, far),
    "+": () => map.zoom(.5), "=": () => map.zoom(.5), "-": () => map.zoom(2), h: () => lead(map.hottestInView(), true), H: () => lead(map.hottestInView(), true),
  };
  map.zoom = by => {
    const {step, bucket} = cell();
    zoomBy(heat, by, step + .5, bucket + .5);
    drawAll();
    if (looked.cursor?.heat === heat) showCell(map, nodes, looked.cursor, true);
  };
  canvas.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey || !KEYS[event.key]) return;
    KEYS[event.key](event.shiftKey ? 10 : 1);
    event.preventDefault();
  });
  canvas.addEventListener("blur", leave);
};
