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
    const part = total ? `, ${share(rate / total)} of the table's, ${figure(rate / total * heat.buckets)} × even` : "";
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
