// Prints which providers of ONNX Runtime can run a small graph on this machine, and why the others cannot, as JSON.
import { built } from '../lib/built.mjs';

const { probeDevice } = await built('inference/device/probe-device.js');
const found = {};
for (const provider of ['cpu', 'cuda', 'webgpu', 'tensorrt'])
  found[provider] = (await probeDevice({ provider })) ?? 'loads';
process.stdout.write(`${JSON.stringify(found)}\n`);
