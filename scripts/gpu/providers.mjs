// Prints which providers of ONNX Runtime compute a small graph here, and why the others do not, as JSON.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIST } from '../lib/paths.mjs';

const { probeDevice } = await import(pathToFileURL(join(DIST, 'inference/device/probe-device.js')).href);
const found = {};
for (const provider of ['cpu', 'cuda', 'webgpu', 'tensorrt'])
  found[provider] = (await probeDevice({ provider })) ?? 'loads';
process.stdout.write(`${JSON.stringify(found)}\n`);
