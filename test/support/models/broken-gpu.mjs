// Renders on WebGPU until every run fails, and prints how. A separate process, as in gpu-render.mjs. The argument is a
// JSON file: `dist`, `modelsDir`, and the `fault` file of failing-device.mjs, which must be preloaded.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const order = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const built = (path) => import(pathToFileURL(`${order.dist}/${path}`).href);
const { loadCatalog } = await built('models/repository/load-catalog.js');
const { Enhancer } = await built('inference/enhancer.js');
const { exitAfterRuns } = await built('inference/device/threads/exit-after-runs.js');

const catalog = await loadCatalog(order.modelsDir);
const given = catalog.route('upscale', 'low');
const route = { ...given, render: { ...given.render, tile: 8, maxBatch: 1 } };
const deaths = [];
const enhancer = await Enhancer.start({
  catalog: { routes: () => [route] },
  device: 'webgpu',
  threads: 0,
  onDeath: (error) => deaths.push(error.name),
});
const image = { width: 8, height: 8, channels: 3, data: new Uint8Array(8 * 8 * 3) };
const { width } = await enhancer.render(route, image, null);
writeFileSync(order.fault, 'runs');
const error = await enhancer.render(route, image, null).catch((failure) => failure);
await enhancer.close();
process.stdout.write(JSON.stringify({ width, deaths, name: error.name, message: error.message }));
await exitAfterRuns(70);
