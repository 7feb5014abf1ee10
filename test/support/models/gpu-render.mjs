// Renders one route on one device and writes the pixels. It is a separate process, since a broken driver may end it
// and two WebGPU sessions in one process may crash. Arguments: a JSON file with the order, see gpu-render.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const order = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const built = (path) => import(pathToFileURL(`${order.dist}/${path}`).href);
const { loadCatalog } = await built('models/repository/load-catalog.js');

const small = (stage) =>
  stage && { ...stage, maxBatch: 1, ...(stage.kind === 'render' && { tile: order.tile }) };
const catalog = await loadCatalog(order.modelsDir);
const given = catalog.route(order.operation, order.level);
const route = { ...given, analyse: small(given.analyse), render: small(given.render) };

const answer = order.mapsOn === undefined ? await renderWhole() : await renderTile();
process.send?.(answer, () => process.exit(0));

/** All steps of a job: analysis, tiles, halo. */
async function renderWhole() {
  const { Enhancer } = await built('inference/enhancer.js');
  const enhancer = await Enhancer.start({
    catalog: { routes: () => [route] },
    device: order.device,
    precision: order.device === 'cpu' ? 'float32' : 'auto',
    threads: 0,
    onDeath: () => process.exit(1),
  });
  const image = picture(order.width, order.height, order.channels);
  const size = route.analyse?.size;
  const analysis = size === undefined ? null : await enhancer.analyse(route, picture(size, size, 3));
  const { data, ...shape } = await enhancer.render(route, image, analysis);
  writeFileSync(order.result, data);
  const { width, height, channels } = shape;
  return { device: enhancer.deviceOf(route), width, height, channels };
}

/** One tile of the render graph, with maps computed on another device. */
async function renderTile() {
  const { OnnxEngine } = await built('inference/engines/onnx-engine.js');
  const engine = (provider) => new OnnxEngine({ provider, threads: 0, isGuess: false });
  const tensor = (type, dims, data) => ({ type, dims, data });
  const { size } = route.analyse;
  const analyse = await engine(order.mapsOn).load(route.analyse);
  const maps = await analyse.run({ image: tensor('uint8', [1, size, size, 3], picture(size, size, 3).data) });
  await analyse.release();
  const edge = route.render.tile + 2 * route.render.halo;
  const { data } = picture(edge, edge, order.channels);
  const render = engine(order.device);
  const graph = await render.load(route.render);
  const offered = {
    ...maps,
    image: tensor('uint8', [1, edge, edge, order.channels], data),
    strength: tensor('float32', [1], Float32Array.of(route.strength)),
    window: tensor('float32', [1, 4], Float32Array.of(0.1, 0.2, 0.9, 0.8)),
  };
  const inputs = Object.fromEntries(graph.inputNames.map((name) => [name, offered[name]]));
  const result = (await graph.run(inputs))[graph.outputNames[0]];
  writeFileSync(order.result, result.data);
  const [, height, width, channels] = result.dims;
  return { device: render.provider, width, height, channels };
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
