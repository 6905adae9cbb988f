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
    for (const place of [heat.writes, heat.reads]) place.totals = totalsOf(place);
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
