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
// Of each level of a matrix its share, in a step in which an even share of the load is `even`.
const sharer = (place, scale, kind) => {
  if (kind === "linear") {
    const shares = Float32Array.from(place.rates, rate => rate ? rate / scale.most : -1);
    return level => shares[level];
  }
  if (kind === "log") {
    const shares = Float32Array.from(place.rates, rate => rate ? logShare(rate, scale) : -1);
    return level => shares[level];
  }
  const logs = Float64Array.from(place.rates, rate => Math.log(rate / EVEN.low)), wide = Math.log(EVEN.high / EVEN.low);
  const evens = Float64Array.from(place.totals, total => Math.log(total / place.lines));
  return (level, step) => level ? clamped((logs[level] - evens[step]) / wide) : -1;
};
// A colour of the style sheet as the theme has it now.
const probe = document.body.appendChild(document.createElement("i"));
probe.hidden = true;
const ink = name => {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
};
