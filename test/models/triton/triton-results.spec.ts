import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Enhancer } from '../../../src/inference/enhancer.js';
import { NO_SERVER } from '../../../src/inference/engines/triton/triton-engine.js';
import { float32Tensor, type NamedTensors, uint8Tensor } from '../../../src/inference/tensor.js';
import { enhanced } from '../../../src/models/check/enhanced.js';
import { serveRepository } from '../../support/inference/onnx-server.js';
import type { ProtocolServer } from '../../support/inference/protocol-server.js';
import { RemoteModels, remotePicture, startEnhancer } from '../../support/inference/remote-models.js';

type Rewrite = ProtocolServer['rewrite'];

/** Changes outputs of one type. */
const each =
  (type: 'uint8' | 'float32', change: (name: string, outputs: NamedTensors) => NamedTensors): Rewrite =>
  (outputs) =>
    Object.assign(
      {},
      ...Object.keys(outputs).map((name) =>
        outputs[name]!.type === type ? change(name, outputs) : { [name]: outputs[name] },
      ),
    ) as NamedTensors;

const nan = each('float32', (name, outputs) => {
  const { dims, data } = outputs[name]!;
  return { [name]: float32Tensor(dims, Array.from(data).fill(NaN, 5, 6)) };
});
const narrow = each('uint8', (name, outputs) => {
  const { dims, data } = outputs[name]!;
  const [count, height, width, channels] = dims as [number, number, number, number];
  const bytes = Uint8Array.from(data).subarray(0, count * height * (width - 1) * channels);
  return { [name]: uint8Tensor([count, height, width - 1, channels], Uint8Array.from(bytes)) };
});
const floats = each('uint8', (name, outputs) => {
  const { dims, data } = outputs[name]!;
  return { [name]: float32Tensor(dims, Array.from(data)) };
});
const renamed = each('uint8', (name, outputs) => ({ other: outputs[name]! }));
const oneItemLess = each('uint8', (name, outputs) => {
  const { dims, data } = outputs[name]!;
  const rest = dims.slice(1);
  const size = data.length / dims[0]!;
  return { [name]: uint8Tensor([dims[0]! - 1, ...rest], Uint8Array.from(data).slice(size)) };
});

describe('a model on an inference server that changes after its check', () => {
  let models: RemoteModels;
  let server: ProtocolServer;
  let enhancer: Enhancer;

  const route = () => models.remote.route('auto_enhance', 'low')!;

  beforeAll(async () => {
    models = await RemoteModels.create('auto_enhance');
    server = await serveRepository(models.repository);
    enhancer = await startEnhancer({ routes: () => [route()] }, { ...NO_SERVER, urls: [server.url] });
  });
  afterAll(async () => {
    await enhancer?.close();
    await server?.stop();
    await models?.remove();
  });
  afterEach(() => {
    server.rewrite = (outputs) => outputs;
  });

  it.each<[string, Rewrite, RegExp]>([
    ['NaN in a map', nan, /is not finite: it contains NaN or an infinity/],
    ['pixels of another size', narrow, /must be uint8\[.*\] by the manifest, the graph gives uint8\[/],
    ['numbers of another type', floats, /must be uint8\[.*\] by the manifest, the graph gives float32\[/],
    ['an output of another name', renamed, /must be uint8\[.*\] by the manifest, the graph gives nothing/],
    ['fewer items than it got', oneItemLess, /must be uint8\[.*\] by the manifest, the graph gives uint8\[/],
  ])('fails a job for which it gives %s, and no later one', async (_, rewrite, message) => {
    server.rewrite = rewrite;
    const ended = enhanced(enhancer, route(), remotePicture(64, 64));
    await expect(ended).rejects.toMatchObject({
      code: 'processing_failed',
      message: expect.stringMatching(message) as string,
    });
    server.rewrite = (outputs) => outputs;
    expect((await enhanced(enhancer, route(), remotePicture(64, 64))).width).toBe(64);
  });
});
