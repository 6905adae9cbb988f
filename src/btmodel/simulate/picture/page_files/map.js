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
