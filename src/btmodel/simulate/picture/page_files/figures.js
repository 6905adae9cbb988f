// The facts of the page, and its matrices: levels of rates, as packed.py wrote them.
const unpack = async text => {
  const packed = Uint8Array.from(atob(text), one => one.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const facts = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  let at = 4 + length;
  const filled = place => {
    const {lines, steps, least, most} = place, count = lines * steps;
    const levels = new Uint16Array(count), rates = new Float64Array(facts.levels + 1);
    for (let i = 0; i < count; i++) {
      const folded = bytes[at + i] | bytes[at + count + i] << 8;
      levels[i] = (i % steps ? levels[i - 1] : 0) + ((folded >>> 1) ^ -(folded & 1));
    }
    at += 2 * count;
    for (let level = 1; level <= facts.levels; level++) {
      rates[level] = least * (most / least) ** ((level - 1) / (facts.levels - 1));
    }
    return Object.assign(place, {levels, rates, at: (line, step) => rates[levels[line * steps + step]]});
  };
  const places = [];
  for (const side of facts.sides) {
    for (const heat of side.heats) places.push(heat.writes, heat.reads);
    for (const name of ["load", "p99", "splits", "moves"]) if (side[name]) places.push(side[name]);
  }
  places.sort((a, b) => a.matrix - b.matrix).forEach(filled);
  for (const side of facts.sides) for (const heat of side.heats) {
    for (const place of [heat.writes, heat.reads]) {
      place.totals = totalsOf(place);
      place.even = evenOf(place, heat.seconds);
    }
    heat.steps = heat.writes.steps;
    heat.buckets = heat.low.length;
  }
  return facts;
};

// What all lines have together, of each step.
const totalsOf = ({lines, steps, levels, rates}) => {
  const totals = new Float64Array(steps);
  for (let line = 0, i = 0; line < lines; line++) for (let step = 0; step < steps; step++, i++) totals[step] += rates[levels[i]];
  return totals;
};

// Figures of three digits, and moments on the clock of the heat.
const three = new Intl.NumberFormat("en-US", {maximumSignificantDigits: 3});
const figure = value => value && (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e9) ? value.toExponential(2).replace(".00", "") : three.format(value);
const whole = number => number.toLocaleString("en-US");
const many = (number, noun) => `${figure(number)} ${noun}${number === 1 ? "" : "s"}`;
const short = seconds => seconds < 1 ? `${figure(1000 * seconds)} ms` : `${figure(seconds)} s`;
const share = part => `${figure(100 * part)} %`;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = number => String(number).padStart(2, "0");
const dayOf = ms => { const one = new Date(ms); return `${one.getUTCDate()} ${MONTHS[one.getUTCMonth()]}`; };
const clock = (ms, seconds) => {
  const one = new Date(ms);
  return `${two(one.getUTCHours())}:${two(one.getUTCMinutes())}${seconds ? `:${two(one.getUTCSeconds())}` : ""}`;
};
const atStep = (heat, step) => heat.start + step * heat.seconds * 1000;
const spanOf = (heat, first, end) => {
  const from = atStep(heat, first), to = atStep(heat, end), seconds = heat.seconds % 60 !== 0;
  const day = dayOf(from) === dayOf(to) ? "" : `${dayOf(to)} `;
  return `${dayOf(from)} ${clock(from, seconds)} to ${day}${clock(to, seconds)}${heat.zone ? ` ${heat.zone}` : ""}`;
};
// The text as far as there is room for it.
const fitted = (context, text, room) => {
  if (context.measureText(text).width <= room) return text;
  let low = 0, high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(`${text.slice(0, middle)}…`).width <= room) low = middle; else high = middle - 1;
  }
  return low ? `${text.slice(0, low)}…` : "";
};

// What a range has if all is spread over all ranges and the whole time; at least one row a step, so that single rows are no hotspots.
const evenOf = ({totals, lines, steps}, seconds) =>
  Math.max(totals.reduce((sum, one) => sum + one, 0) / (lines * steps || 1), 1 / seconds);

// Shares of the scale, from 0 to 1, as colours; below 0 is nothing at all.
const SHADES = 1023;
const EVEN = {low: .1, high: 1000};  // times an even share
const shadesOf = ({stops}) => Uint32Array.from({length: SHADES + 1}, (_, at) => {
  const place = at / SHADES * (stops.length - 1), low = Math.min(Math.floor(place), stops.length - 2), rest = place - low;
  const [r, g, b] = stops[low].map((one, i) => Math.round(one + (stops[low + 1][i] - one) * rest));
  return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
});
const packedColour = ([r, g, b]) => (255 << 24 | b << 16 | g << 8 | r) >>> 0;
const clamped = share => share < 0 ? 0 : share > 1 ? 1 : share;
const logShare = (rate, {low, high}) => clamped(Math.log(rate / low) / Math.log(high / low));
// Of each level of a matrix its share of the scale.
const sharer = (place, scale, kind) => {
  if (kind === "linear") {
    const shares = Float32Array.from(place.rates, rate => rate ? rate / scale.most : -1);
    return level => shares[level];
  }
  if (kind === "log") {
    const shares = Float32Array.from(place.rates, rate => rate ? logShare(rate, scale) : -1);
    return level => shares[level];
  }
  const shares = Float32Array.from(place.rates, rate => rate ? logShare(rate / place.even, EVEN) : -1);
  return level => shares[level];
};
// A colour of the style sheet as the theme has it now.
const probe = document.body.appendChild(document.createElement("i"));
probe.hidden = true;
const ink = name => {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
};

// Ticks of time: the least round distance at which they do not touch.
const MINUTE = 6e4, HOUR = 36e5, DAY = 864e5;
const ROUND = [1e3, 5e3, 15e3, 3e4, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR,
  3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY, 28 * DAY, 91 * DAY, 364 * DAY];
const timeTicks = (from, to, width) => {
  const distance = ROUND.find(one => (to - from) / one * 58 <= width) ?? ROUND.at(-1);
  const ticks = [];
  for (let at = Math.ceil(from / distance) * distance; at <= to; at += distance) {
    ticks.push({at, day: at % DAY === 0, text: at % DAY === 0 ? dayOf(at) : clock(at, distance < MINUTE)});
  }
  return ticks;
};
const drawTimeAxis = (context, heat, span, box) => {
  const from = atStep(heat, span[0] * heat.steps), to = atStep(heat, span[1] * heat.steps);
  context.fillStyle = context.strokeStyle = ink("soft");
  context.textBaseline = "top";
  let end = -1e9;
  for (const [number, {at, text: plain, day}] of timeTicks(from, to, box.width).entries()) {
    const text = number || day ? plain : `${dayOf(at)} ${plain}`;
    const x = box.left + (at - from) / (to - from) * box.width, wide = context.measureText(text).width;
    context.fillRect(Math.round(x), box.top + box.height, 1, day ? 6 : 4);
    const left = Math.min(Math.max(x - wide / 2, box.left), box.left + box.width - wide);
    if (left < end + 6) continue;
    context.fillText(text, left, box.top + box.height + 7);
    end = left + wide;
  }
};

// The axis of keys: a column a field, in which ranges of the same value are one box, or ticks where there is no room.
const MOST_FIELDS = 3, ROW = 13;
const fieldsShown = heat => {
  const varies = heat.fields.map((_, at) => at).filter(at => heat.labels.some(label => (label[at] ?? "") !== (heat.labels[0][at] ?? "")));
  return (varies.length ? varies : heat.fields.map((_, at) => at)).slice(0, MOST_FIELDS);
};
const columnsOf = (context, heat, room) => {
  if (heat.columns?.room === room) return heat.columns.found;
  const shown = fieldsShown(heat), most = Math.max(40, Math.min(150, room / Math.max(shown.length, 1)));
  const every = Math.max(1, Math.floor(heat.buckets / 200));
  let left = 0;
  const found = shown.map(field => {
    let wide = context.measureText(heat.fields[field]).width;
    for (let i = 0; i < heat.buckets; i += every) wide = Math.max(wide, context.measureText(heat.labels[i][field] ?? "").width);
    const column = {field, left, width: Math.ceil(Math.min(most, wide + 12))};
    left += column.width;
    return column;
  });
  heat.columns = {room, found};
  return found;
};
// Runs of buckets that agree in this field and in all in front of it.
const runsOf = (heat, field) => {
  heat.runs ??= [];
  return heat.runs[field] ??= heat.labels.reduce((runs, label, at) => {
    const before = heat.labels[at - 1];
    if (!before || label.slice(0, field + 1).join("\0") !== before.slice(0, field + 1).join("\0")) runs.push({at, text: label[field] ?? ""});
    return runs;
  }, []);
};
const drawKeyAxis = (context, heat, keys, box, columns) => {
  const place = bucket => box.top + (bucket - keys[0]) / (keys[1] - keys[0]) * box.height;
  const soft = ink("soft"), plain = ink("ink"), tints = [ink("even"), ink("odd")];
  for (const {field, left, width} of columns) {
    context.textBaseline = "alphabetic";
    context.fillStyle = soft;
    context.fillText(fitted(context, heat.fields[field], width - 6), left + 2, box.top - 5);
    const runs = runsOf(heat, field);
    const seen = runs.map(({at, text}, number) => {
      const end = runs[number + 1]?.at ?? heat.buckets;
      return {text, number, top: Math.max(place(at), box.top), bottom: Math.min(place(end), box.top + box.height)};
    }).filter(({top, bottom}) => bottom > top);
    for (const {number, top, bottom} of seen) {
      context.fillStyle = tints[number % 2];
      context.fillRect(left, top, width - 2, Math.max(bottom - top - (bottom - top > 3 ? 1 : 0), .5));
    }
    context.textBaseline = "middle";
    let free = box.top - 1;
    for (const {text, top, bottom} of seen) {
      const middle = (top + bottom) / 2, y = Math.min(Math.max(middle, box.top + ROW / 2), box.top + box.height - ROW / 2);
      if (!text || y - ROW / 2 < free) continue;
      context.fillStyle = plain;
      context.fillText(fitted(context, text, width - 8), left + 4, y);
      free = y + ROW / 2;
    }
  }
};

// What is looked at: the same time in every picture of the page, and of each map its own keys.
const allKeys = heat => [0, heat.buckets];
const looked = {what: "writes", scale: "even", span: [0, 1], keys: new Map(), cursor: null, past: []};
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
