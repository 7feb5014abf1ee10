// Runs graphs with one input `x` and one output `y` on a device and writes the outputs as JSON. It is a separate process,
// like gpu-render.mjs. Argument: a JSON file with `{ device, graphs, dims, values, result }`.
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { readFileSync, writeFileSync } from 'node:fs';

const { device, graphs, dims, values, result } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const outputs = [];
for (const path of graphs) {
  const session = await InferenceSession.create(path, { executionProviders: [device], logSeverityLevel: 4 });
  const { y } = await session.run({ x: new Tensor('float32', Float32Array.from(values), dims) });
  outputs.push({ dims: y.dims, values: [...y.data] });
  await session.release();
}
writeFileSync(result, JSON.stringify(outputs));
process.exit(0);
