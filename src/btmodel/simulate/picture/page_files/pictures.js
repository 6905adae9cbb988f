// A map: keys down, time to the right.
const FONT = "11px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const TOP = 18, BOTTOM = 22, PROFILE = 44, RIGHT = PROFILE + 8;
const KEYS_SHARE = .36;  // of the width, at most, for the axis of keys
const sized = canvas => {
  const ratio = devicePixelRatio || 1, {width, height} = canvas.getBoundingClientRect();
  const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, {width: w, height: h});
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = FONT;
  return {context, width, height, ratio};
};
// Where each of `count` points begins among cells from `from` to `to`; as many as `count` + 1.
const edges = (from, to, count) => Int32Array.from({length: count + 1}, (_, at) => Math.floor(from + at * (to - from) / count + 1e-9));
// The hottest share of each point of a picture, line by line: the cells of a line first, then those of a column.
const pointsOf = (place, shareOf, steps, keys, width, height) => {
  const down = edges(...keys, height), across = edges(...steps, width);
  const first = across[0], count = Math.min(across[width], place.steps) - first, line = new Uint16Array(count);
  const points = new Float32Array(width * height);
  for (let y = 0, done = -1; y < height; y++) {
    const from = Math.min(down[y], place.lines - 1), to = Math.max(down[y + 1], from + 1);
    if (to - from === 1 && from === done) {
      points.copyWithin(y * width, (y - 1) * width, y * width);
      continue;
    }
    done = to - from === 1 ? from : -1;
    line.fill(0);
    for (let bucket = from; bucket < to; bucket++) for (let i = 0, at = bucket * place.steps + first; i < count; i++, at++) {
      if (place.levels[at] > line[i]) line[i] = place.levels[at];
    }
    for (let x = 0; x < width; x++) {
      const left = Math.min(across[x] - first, count - 1), right = Math.max(across[x + 1] - first, left + 1);
      let most = -1;
      for (let i = left; i < right && i < count; i++) most = Math.max(most, shareOf(line[i], first + i));
      points[y * width + x] = most;
    }
  }
  return points;
};
const imageOf = (points, width, height, shades, nothing) => {
  const pixels = new Uint32Array(width * height);
  for (let i = 0; i < pixels.length; i++) pixels[i] = points[i] < 0 ? nothing : shades[Math.round(points[i] * SHADES)];
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), width, height), 0, 0);
  return canvas;
};
// The share that each bucket has of the load in these steps.
const sharesOf = (place, [first, end]) => {
  const shares = new Float64Array(place.lines);
  let total = 0;
  for (let line = 0; line < place.lines; line++) {
    for (let step = first, at = line * place.steps + first; step < end; step++, at++) shares[line] += place.rates[place.levels[at]];
    total += shares[line];
  }
  return total ? shares.map(one => one / total) : shares;
};
// Beside the map, how much of the load in the time that is seen lies on each range: the largest that share a point.
const drawProfile = (context, shares, keys, box) => {
  const down = edges(...keys, Math.round(box.height)), left = box.left + box.width + 6, most = shares.reduce((a, b) => Math.max(a, b), 0);
  context.fillStyle = ink("even");
  context.fillRect(left, box.top, PROFILE, box.height);
  context.textBaseline = "alphabetic";
  context.fillStyle = ink("soft");
  const text = most ? `≤ ${share(most)}` : "0 %";
  context.fillText(text, left + PROFILE - context.measureText(text).width, box.top - 5);
  context.fillStyle = ink("mean");
  for (let y = 0; most && y < down.length - 1; y++) {
    let one = 0;
    for (let at = Math.min(down[y], shares.length - 1); at < Math.max(down[y + 1], down[y] + 1) && at < shares.length; at++) one = Math.max(one, shares[at]);
    if (one) context.fillRect(left, box.top + y, Math.max(.5, one / most * PROFILE), 1);
  }
};
// So that white ends somewhere on a white page.
const drawEdge = (context, {left, top, width, height}) => {
  Object.assign(context, {strokeStyle: ink("soft"), lineWidth: 1});
  context.strokeRect(left - .5, top - .5, width + 1, height + 1);
};
const drawCross = (context, box, x, y) => {
  for (const [style, wide] of [["#000a", 3], ["#fff", 1]]) {
    context.fillStyle = style;
    if (x !== null) context.fillRect(Math.round(x - wide / 2), box.top, wide, box.height);
    if (y !== null) context.fillRect(box.left, Math.round(y - wide / 2), box.width, wide);
  }
};
const mapOf = (canvas, heat, facts, gutter) => {
  const shades = shadesOf(facts), nothing = packedColour(facts.nothing), map = {canvas, heat, box: null, brush: null};
  const place = () => heat[looked.what];
  const stepX = step => map.box.left + (step / heat.steps - looked.span[0]) / (looked.span[1] - looked.span[0]) * map.box.width;
  const bucketY = bucket => { const [low, high] = keysOf(heat); return map.box.top + (bucket - low) / (high - low) * map.box.height; };
  let kept = {};
  const drawn = ratio => {
    const [w, h] = [Math.max(1, Math.round(map.box.width * ratio)), Math.max(1, Math.round(map.box.height * ratio))];
    const name = [looked.what, looked.scale, ...looked.span, ...keysOf(heat), w, h].join();
    if (kept.name !== name) {
      const steps = looked.span.map(one => Math.round(one * heat.steps));
      const points = pointsOf(place(), sharer(place(), facts.scales[looked.what], looked.scale), steps, keysOf(heat), w, h);
      kept = {name, image: imageOf(points, w, h, shades, nothing), shares: sharesOf(place(), steps)};
    }
    return kept;
  };
  map.draw = () => {
    const {context, width, height, ratio} = sized(canvas);
    const left = gutter();
    map.box = {left, top: TOP, width: Math.max(20, width - left - RIGHT), height: Math.max(20, height - TOP - BOTTOM)};
    context.imageSmoothingEnabled = false;
    const {image, shares} = drawn(ratio);
    context.drawImage(image, map.box.left, map.box.top, map.box.width, map.box.height);
    drawEdge(context, map.box);
    drawProfile(context, shares, keysOf(heat), map.box);
    drawKeyAxis(context, heat, keysOf(heat), map.box, columnsOf(context, heat, width * KEYS_SHARE));
    drawTimeAxis(context, heat, looked.span, map.box);
    const cursor = looked.cursor;
    if (cursor) {
      const x = map.box.left + (cursor.time - looked.span[0]) / (looked.span[1] - looked.span[0]) * map.box.width;
      const inside = x >= map.box.left && x <= map.box.left + map.box.width;
      drawCross(context, map.box, inside ? x : null, cursor.heat === heat ? bucketY(cursor.bucket + .5) : null);
    }
    if (map.brush) {
      const {x, y, toX, toY} = map.brush;
      context.strokeStyle = "#fff";
      context.fillStyle = "#fff3";
      context.fillRect(x, y, toX - x, toY - y);
      context.strokeRect(x + .5, y + .5, toX - x, toY - y);
    }
  };
  // The steps and buckets at a point of the canvas, not whole ones.
  map.stepAt = x => (looked.span[0] + clamped((x - map.box.left) / map.box.width) * (looked.span[1] - looked.span[0])) * heat.steps;
  map.bucketAt = y => { const [low, high] = keysOf(heat); return low + clamped((y - map.box.top) / map.box.height) * (high - low); };
  // The hottest cell of those that share the point.
  map.cellAt = (x, y) => {
    const found = {step: Math.min(Math.floor(map.stepAt(x)), heat.steps - 1), bucket: Math.min(Math.floor(map.bucketAt(y)), heat.buckets - 1)};
    return hottest(found.step, map.stepAt(x + .5), found.bucket, map.bucketAt(y + .5));
  };
  const hottest = (step, endStep, bucket, endBucket) => {
    const {levels, steps} = place();
    let found = {step, bucket};
    for (let line = bucket; line < endBucket; line++) for (let at = step; at < endStep; at++) {
      if (levels[line * steps + at] > levels[found.bucket * steps + found.step]) found = {step: at, bucket: line};
    }
    return found;
  };
  map.hottestInView = () => {
    const [first, end] = looked.span.map(one => Math.round(one * heat.steps)), [low, high] = keysOf(heat);
    return hottest(first, end, low, high);
  };
  map.pointOf = ({step, bucket}) => ({x: stepX(step + .5), y: bucketY(bucket + .5)});
  return map;
};

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
