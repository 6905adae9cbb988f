// What is looked at: the same time in every picture of the page, and of each map its own keys.
const allKeys = heat => [0, heat.buckets];
const looked = {what: "writes", scale: "log", span: [0, 1], keys: new Map(), cursor: null, past: []};
const remember = () => looked.past.push({span: looked.span, keys: new Map(looked.keys)});
const back = () => {
  const before = looked.past.pop();
  if (before) Object.assign(looked, before);
};
const showAll = heats => {
  if (isWhole(heats)) return;
  remember();
  looked.span = [0, 1];
  for (const heat of heats) looked.keys.set(heat, allKeys(heat));
};
const isWhole = heats => looked.span[0] === 0 && looked.span[1] === 1 && heats.every(heat => keysOf(heat)[0] === 0 && keysOf(heat)[1] === heat.buckets);
const keysOf = heat => looked.keys.get(heat) ?? allKeys(heat);
// Whole cells within `most`, and of them at least three where there are so many.
const snapped = (from, to, most) => {
  let low = Math.max(0, Math.floor(from + 1e-6)), high = Math.min(most, Math.ceil(to - 1e-6));
  const wanted = Math.min(3, most);
  if (high - low < wanted) {
    low = Math.max(0, Math.min(low, most - wanted));
    high = low + wanted;
  }
  return [low, high];
};
const zoomTo = (heat, steps, keys) => {
  const [from, to] = snapped(...steps, heat.steps), found = snapped(...keys, heat.buckets);
  const span = [from / heat.steps, to / heat.steps], now = keysOf(heat);
  if (span.every((one, i) => one === looked.span[i]) && found.every((one, i) => one === now[i])) return false;
  remember();
  looked.span = span;
  looked.keys.set(heat, found);
  return true;
};
const around = ([low, high], middle, by, most) => {
  const wide = (high - low) * by, from = middle - (middle - low) * by;
  return wide >= most ? [0, most] : [Math.max(0, Math.min(from, most - wide)), Math.max(0, Math.min(from, most - wide)) + wide];
};
const zoomBy = (heat, by, step, bucket) => {
  const steps = looked.span.map(one => one * heat.steps);
  return zoomTo(heat, around(steps, step, by, heat.steps), around(keysOf(heat), bucket, by, heat.buckets));
};
