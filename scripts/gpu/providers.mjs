// Prints which providers of ONNX Runtime can run a small graph on this machine, and why the others cannot, as JSON.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIST } from '../lib/paths.mjs';

const { probeDevice } = await import(pathToFileURL(join(DIST, 'inference/device/probe-device.js')).href);
const found = {};
for (const provider of ['cpu', 'cuda', 'webgpu', 'tensorrt'])
  found[provider] = (await probeDevice({ provider })) ?? 'loads';
process.stdout.write(`${JSON.stringify(found)}\n`);
