// Renders one route on the CPU and on WebGPU, and sends the pixels. It is a separate process, since a broken driver
// may end it and two WebGPU sessions in one process may crash. Arguments: a JSON file with the order, see
// gpu-render.ts.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const order = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const built = (path) => import(pathToFileURL(`${order.dist}/${path}`).href);
const { loadCatalog } = await built('models/repository/load-catalog.js');

const small = (stage) =>
  stage && { ...stage, maxBatch: 1, ...(stage.kind === 'render' && { tile: order.tile }) };
const catalog = await loadCatalog(order.modelsDir);
const given = catalog.route(order.operation, order.level);
const route = { ...given, analyse: small(given.analyse), render: small(given.render) };

const precisionOn = (device) => (device === 'cpu' ? 'float32' : 'auto');
const render = order.only === 'tile' ? await tileRenderer() : renderWhole;
const [cpu, webgpu] = [await render('cpu'), await render('webgpu')];
process.send?.({ cpu, webgpu }, () => process.exit(0));

/** All steps of a job: analysis, tiles, halo. */
async function renderWhole(chosen) {
  const { Enhancer } = await built('inference/enhancer.js');
  const enhancer = await Enhancer.start({
    catalog: { routes: () => [route] },
    device: chosen,
    precision: precisionOn(chosen),
    threads: 0,
    onDeath: () => process.exit(1),
  });
  const image = picture(order.width, order.height, order.channels);
  const size = route.analyse?.size;
  const analysis = size === undefined ? null : await enhancer.analyse(route, picture(size, size, 3));
  const { data, width, height, channels } = await enhancer.render(route, image, analysis);
  return { device: enhancer.deviceOf(route), width, height, channels, data: [...data] };
}

/** One tile of the render graph, with the maps of an analysis on the CPU. */
async function tileRenderer() {
  const { OnnxEngine } = await built('inference/engines/onnx-engine.js');
  const engine = (provider) =>
    new OnnxEngine({ provider, threads: 0, isGuess: false, precision: precisionOn(provider) });
  const tensor = (type, dims, data) => ({ type, dims, data });
  const edge = route.render.tile + 2 * route.render.halo;
  const { data } = picture(edge, edge, order.channels);
  const offered = {
    ...(route.analyse && (await mapsOf(route.analyse))),
    image: tensor('uint8', [1, edge, edge, order.channels], data),
    strength: tensor('float32', [1], Float32Array.of(route.strength)),
    window: tensor('float32', [1, 4], Float32Array.of(0.1, 0.2, 0.9, 0.8)),
  };
  return async (chosen) => {
    const device = engine(chosen);
    const graph = await device.load(route.render);
    const inputs = Object.fromEntries(graph.inputNames.map((name) => [name, offered[name]]));
    const result = (await graph.run(inputs))[graph.outputNames[0]];
    const [, height, width, channels] = result.dims;
    return { device: device.provider, width, height, channels, data: [...result.data] };
  };

  async function mapsOf(stage) {
    const graph = await engine('cpu').load(stage);
    const { data: pixels } = picture(stage.size, stage.size, 3);
    const maps = await graph.run({ image: tensor('uint8', [1, stage.size, stage.size, 3], pixels) });
    await graph.release();
    return maps;
  }
}

/** A skin-colored disc in front of a gradient with a fine pattern, and a sloping alpha. */
function picture(width, height, channels) {
  const data = new Uint8Array(width * height * channels);
  for (let at = 0; at < width * height; at += 1) {
    const [u, v] = [((at % width) + 0.5) / width, (Math.floor(at / width) + 0.5) / height];
    const isDisc = Math.hypot(u - 0.5, v - 0.5) < 0.3;
    const pattern = ((at * 7) % 16) - 8;
    const color = isDisc ? [205, 150 + 40 * u, 125] : [40 + 90 * u, 60 + 60 * v, 130 - 40 * u];
    const pixel = [...color.map((value) => value + pattern), 255 * v];
    for (let channel = 0; channel < channels; channel += 1) data[at * channels + channel] = pixel[channel];
  }
  return { data, width, height, channels };
}
