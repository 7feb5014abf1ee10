// One row of `npm run bench -- gpu`: one route on one device with one batch size.
import { built } from '../../lib/built.mjs';
import { drawnPicture } from './drawn-picture.mjs';

const RUNS = 3;

process.once('message', (order) => {
  void measure(order)
    .catch((error) => ({ fault: error.message.split('\n')[0] }))
    .then((answer) => process.send(answer, () => process.exit(0)));
});

async function measure({ modelsDir, operation, level, device, precision, pixels, batch }) {
  const { loadCatalog } = await built('models/repository/load-catalog.js');
  const { Enhancer } = await built('inference/enhancer.js');
  const given = (await loadCatalog(modelsDir)).route(operation, level);
  const sized = (stage) => stage && { ...stage, maxBatch: batch };
  const route = { ...given, analyse: sized(given.analyse), render: sized(given.render) };
  const enhancer = await Enhancer.start({
    catalog: { routes: () => [route] },
    device,
    precision,
    threads: 0,
    largestBatch: batch,
    onDeath: () => process.exit(1),
  });
  await enhancer.warm();
  const height = Math.round(Math.sqrt(pixels * 0.75));
  const image = drawnPicture(Math.round(pixels / height), height);
  const small = route.analyse && drawnPicture(route.analyse.size, route.analyse.size);
  const once = async () =>
    enhancer.render(route, image, small === null ? null : await enhancer.analyse(route, small));
  const result = await once();
  const startedMs = performance.now();
  for (let done = 0; done < RUNS; done += 1) await once();
  const seconds = (performance.now() - startedMs) / 1_000 / RUNS;
  await enhancer.close();
  return {
    device: enhancer.deviceOf(route),
    precision: enhancer.precisionOf([route]),
    megapixelsPerSecond: Number(((image.width * image.height) / 1e6 / seconds).toFixed(3)),
    result: { data: result.data, channels: result.channels },
  };
}
