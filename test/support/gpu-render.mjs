// Renders one route on one device and writes the pixels down: a process of its own, since a broken driver may end it
// and two sessions of WebGPU in one process may crash. Arguments: a JSON file with the order, see gpu-render.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const order = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const built = (path) => import(pathToFileURL(`${order.dist}/${path}`).href);
const { loadCatalog } = await built('catalog/load-catalog.js');
const { Enhancer } = await built('inference/enhancer.js');

const small = (stage) =>
  stage && { ...stage, maxBatch: 1, ...(stage.kind === 'render' && { tile: order.tile }) };
const catalog = await loadCatalog(order.modelsDir);
const given = catalog.route(order.operation, order.level);
const route = { ...given, analyse: small(given.analyse), render: small(given.render) };

const enhancer = await Enhancer.start({
  catalog: { routes: () => [route] },
  device: order.device,
  threads: 0,
  onDeath: () => process.exit(1),
});
const image = picture(order.width, order.height, order.channels);
const size = route.analyse?.size;
const analysis = size === undefined ? null : await enhancer.analyse(route, picture(size, size, 3));
const result = await enhancer.render(route, image, analysis);
writeFileSync(order.result, result.data);
process.send?.({
  device: enhancer.deviceOf(route),
  width: result.width,
  height: result.height,
  channels: result.channels,
});
await enhancer.close();

/** A skin-coloured disc before a gradient with a fine pattern, and a sloping alpha. */
function picture(width, height, channels) {
  const data = new Uint8Array(width * height * channels);
  for (let at = 0; at < width * height; at += 1) {
    const [u, v] = [((at % width) + 0.5) / width, (Math.floor(at / width) + 0.5) / height];
    const isDisc = Math.hypot(u - 0.5, v - 0.5) < 0.3;
    const pattern = ((at * 7) % 16) - 8;
    const colour = isDisc ? [205, 150 + 40 * u, 125] : [40 + 90 * u, 60 + 60 * v, 130 - 40 * u];
    const pixel = [...colour.map((value) => value + pattern), 255 * v];
    for (let channel = 0; channel < channels; channel += 1) data[at * channels + channel] = pixel[channel];
  }
  return { data, width, height, channels };
}
