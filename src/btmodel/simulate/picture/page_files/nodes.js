// The load of the nodes below their maps, in the same time: the busiest and the mean as lines, then a line of colour a node.
const CHART = 84, GAP = 8, ABOVE = 8;
const nodesOf = (canvas, side, facts, gutter, drawAll) => {
  const {load} = side, heat = side.heats[0] ?? null, shades = shadesOf(facts);
  const busiest = new Float64Array(load.steps), mean = new Float64Array(load.steps), who = new Int32Array(load.steps);
  for (let node = 0; node < load.lines; node++) for (let step = 0; step < load.steps; step++) {
    const one = load.at(node, step);
    mean[step] += one / load.lines;
    if (node === 0 || one > busiest[step]) [busiest[step], who[step]] = [one, node];
  }
  const most = Math.max(1, load.most) * 1.05, row = Math.max(3, Math.min(16, 200 / load.lines));
  const nodes = {canvas, box: null};
  canvas.style.height = `${ABOVE + CHART + GAP + row * load.lines + BOTTOM}px`;
  const lineOf = (context, box, values, style, dash) => {
    context.beginPath();
    const [from, to] = looked.span.map(one => one * load.steps);
    for (let step = Math.floor(from); step < to; step++) {
      const left = box.left + (step - from) / (to - from) * box.width, right = box.left + (step + 1 - from) / (to - from) * box.width;
      const y = box.top + CHART * (1 - values[step] / most);
      context.lineTo(Math.max(left, box.left), y);
      context.lineTo(Math.min(right, box.left + box.width), y);
    }
    Object.assign(context, {strokeStyle: style, lineWidth: 1.5});
    context.setLineDash(dash);
    context.stroke();
    context.setLineDash([]);
  };
  const grid = (context, box) => {
    context.textBaseline = "middle";
    for (const part of [0, .5, 1]) {
      const y = box.top + CHART * (1 - part / most);
      context.fillStyle = part === 1 ? ink("limit") : ink("line");
      context.fillRect(box.left, Math.round(y), box.width, 1);
      context.fillStyle = ink("soft");
      context.fillText(`${part * 100} %`, box.left - context.measureText(`${part * 100} %`).width - 6, y);
    }
  };
  const strips = (context, box, ratio) => {
    const top = box.top + CHART + GAP, high = row * load.lines;
    const [w, h] = [Math.max(1, Math.round(box.width * ratio)), Math.max(1, Math.round(high * ratio))];
    const steps = [Math.floor(looked.span[0] * load.steps + 1e-6), Math.ceil(looked.span[1] * load.steps - 1e-6)];
    const points = pointsOf(load, level => level ? clamped(load.rates[level]) : -1, steps, [0, load.lines], w, h);
    context.imageSmoothingEnabled = false;
    context.drawImage(imageOf(points, w, h, shades, packedColour(facts.nothing)), box.left, top, box.width, high);
    drawEdge(context, {left: box.left, top, width: box.width, height: high});
    context.textBaseline = "middle";
    context.fillStyle = ink("soft");
    const every = Math.ceil(12 / row);
    for (let node = 0; node < load.lines; node += every) {
      const text = `node ${node + 1}`;
      context.fillText(text, box.left - context.measureText(text).width - 6, top + (node + .5) * row);
    }
  };
  // Marks between the two, where tablets were split or moved.
  const marks = (context, box) => {
    const [from, to] = looked.span.map(one => one * load.steps), changes = ["splits", "moves"].filter(name => side[name]);
    context.fillStyle = ink("soft");
    for (let step = Math.floor(from); step < to; step++) {
      if (!changes.some(name => side[name].at(0, step))) continue;
      const left = Math.max(box.left, box.left + (step - from) / (to - from) * box.width);
      context.fillRect(left, box.top + CHART + 2, Math.max(1, Math.min(box.width / (to - from), box.left + box.width - left)), GAP - 3);
    }
  };
  nodes.draw = () => {
    const {context, width, ratio} = sized(canvas), left = Math.max(gutter(), 54);
    const box = nodes.box = {left, top: ABOVE, width: Math.max(20, width - left - RIGHT), height: CHART + GAP + row * load.lines};
    grid(context, box);
    lineOf(context, box, mean, ink("mean"), [5, 3]);
    lineOf(context, box, busiest, ink("hot"), []);
    marks(context, box);
    strips(context, box, ratio);
    if (heat) drawTimeAxis(context, heat, looked.span, box);
    if (!looked.cursor) return;
    const x = box.left + (looked.cursor.time - looked.span[0]) / (looked.span[1] - looked.span[0]) * box.width;
    if (x < box.left || x > box.left + box.width) return;
    context.fillStyle = ink("ink");
    context.fillRect(Math.round(x), box.top, 1, CHART);
    drawCross(context, {...box, top: box.top + CHART + GAP, height: box.height - CHART - GAP}, x, null);
  };
  const stepOf = time => Math.min(Math.floor(time * load.steps + 1e-9), load.steps - 1);
  // The load at a time, from 0 to 1 of all of it, in words.
  nodes.told = time => {
    const step = stepOf(time), facts = [];
    facts.push(["busiest", `node ${who[step] + 1} at ${share(busiest[step])}; the mean is ${share(mean[step])}`]);
    if (side.p99) facts.push(["p99 wait", short(side.p99.at(0, step))]);
    const changes = ["splits", "moves"].filter(name => side[name]?.at(0, step)).map(name => many(side[name].at(0, step), name.slice(0, -1)));
    if (changes.length) facts.push(["tablets", changes.join(", ")]);
    return facts;
  };
  // The same at a point of the chart, behind the node there.
  nodes.toldAt = (time, y) => {
    const node = Math.floor((y - nodes.box.top - CHART - GAP) / row), step = stepOf(time);
    const one = node >= 0 && node < load.lines ? [[`node ${node + 1}`, `at ${share(load.at(node, step))}`]] : [];
    return one.concat(nodes.told(time));
  };
  canvas.addEventListener("pointermove", event => {
    const {left, width} = nodes.box, [from, to] = looked.span, place = canvas.getBoundingClientRect();
    const x = event.clientX - place.left, y = event.clientY - place.top;
    if (!heat || x < left || x > left + width) return;
    const time = Math.min(from + (x - left) / width * (to - from), 1 - 1e-9), step = Math.floor(time * heat.steps);
    looked.cursor = {time};
    drawAll();
    showTip({x: event.clientX, y: event.clientY}, spanOf(heat, step, step + 1), nodes.toldAt(time, y));
  });
  canvas.addEventListener("pointerleave", () => {
    looked.cursor = null;
    hideTip();
    drawAll();
  });
  return nodes;
};
