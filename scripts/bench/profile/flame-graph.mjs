const WIDTH = 1_200;
const ROW = 18;
const TOP = 48;
/** Narrower frames are not drawn. */
const LEAST = 0.6;
const CHARACTER = 6.6;
const IDLE = new Set(['(idle)', '(program)']);

/**
 * A V8 profile as a flame graph, in SVG. Callers are above callees, widths are proportional to time, and idle time is
 * left out.
 * @param {{ nodes: object[], samples: number[], timeDeltas: number[] }} profile as `Profiler.stop` returns it
 */
export function flameGraph(profile, title) {
  const root = timed(profile);
  const frames = [...placed(root, 0, 0, (WIDTH - 2) / Math.max(root.us, 1))];
  const depth = Math.max(...frames.map((frame) => frame.depth)) + 1;
  const height = TOP + depth * ROW + 16;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="ui-monospace, monospace" font-size="11" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="8" y="24" font-size="15" font-weight="600">${escaped(title)}: ${ms(root.us)}</text>`,
    ...frames.map((frame) => drawn(frame)),
    '</svg>\n',
  ].join('\n');
}

/** The call tree with the time of each frame. Callees with the same name are merged. */
function timed({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, { ...node, selfUs: 0 }]));
  samples.forEach((id, index) => {
    byId.get(id).selfUs += Math.max(0, timeDeltas[index]);
  });
  const tree = ({ callFrame, selfUs, children = [] }) => {
    const below = children.map((id) => tree(byId.get(id))).filter(({ us }) => us > 0);
    const us = below.reduce((sum, child) => sum + child.us, IDLE.has(callFrame.functionName) ? 0 : selfUs);
    return { name: nameOf(callFrame), us, below };
  };
  return { ...tree(byId.get(nodes[0].id)), name: 'all' };
}

function nameOf({ functionName, url, lineNumber }) {
  const file = url.split('/').slice(-2).join('/');
  return `${functionName || '(anonymous)'}${file === '' ? '' : ` ${file}:${lineNumber + 1}`}`;
}

function* placed({ name, us, below }, x, depth, perUs) {
  const width = us * perUs;
  if (width < LEAST) return;
  yield { name, us, x, width, depth };
  let at = x;
  for (const child of below.toSorted((a, b) => b.us - a.us)) {
    yield* placed(child, at, depth + 1, perUs);
    at += child.us * perUs;
  }
}

function drawn({ name, us, x, width, depth }) {
  const y = TOP + depth * ROW;
  const hue = 20 + ([...name].reduce((sum, character) => sum + character.charCodeAt(0), 0) % 35);
  const shown = name.slice(0, Math.max(0, Math.floor((width - 4) / CHARACTER)));
  const label =
    shown.length > 2 ? `<text x="${(x + 3).toFixed(1)}" y="${y + 13}">${escaped(shown)}</text>` : '';
  return `<g><title>${escaped(name)}: ${ms(us)}</title><rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="hsl(${hue} 80% 68%)"/>${label}</g>`;
}

const ms = (us) => `${(us / 1_000).toFixed(1)} ms`;
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
