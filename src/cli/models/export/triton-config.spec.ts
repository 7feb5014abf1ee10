import { expect, it } from 'vitest';
import { tritonConfig } from './triton-config.js';

const head = {
  inputs: [
    { name: 'image', type: 'uint8', dims: ['N', 'H', 'W', 'C'] },
    { name: 'strength', type: 'float32', dims: ['N'] },
    { name: 'map', type: 'float32', dims: ['N', 1, 64, 64] },
  ],
  outputs: [{ name: 'enhanced', type: 'uint8', dims: ['N', 'H2', 'W2', 'C2'] }],
};

it('a configuration has the batching of the manifest, and shapes without the batch axis', () => {
  const stage = { maxBatch: 4, maxDelayMs: 5 };
  expect(tritonConfig({ name: 'smooth_skin.smooth', stage, head, instances: 2 }))
    .toBe(`name: "smooth_skin.smooth"
backend: "onnxruntime"
max_batch_size: 4
input [
  { name: "image" data_type: TYPE_UINT8 dims: [ -1, -1, -1 ] },
  { name: "strength" data_type: TYPE_FP32 dims: [ 1 ] reshape { shape: [ ] } },
  { name: "map" data_type: TYPE_FP32 dims: [ 1, 64, 64 ] }
]
output [
  { name: "enhanced" data_type: TYPE_UINT8 dims: [ -1, -1, -1 ] }
]
dynamic_batching {
  max_queue_delay_microseconds: 5000
  default_queue_policy {
    timeout_action: REJECT
    allow_timeout_override: true
    max_queue_size: 256
  }
}
instance_group [ { count: 2 kind: KIND_AUTO } ]
version_policy { all { } }
`);
});

it('a tensor of an unsupported type is refused', () => {
  const inputs = [{ name: 'x', type: 'int64', dims: ['N', 2] }];
  const stage = { maxBatch: 1, maxDelayMs: 0 };
  expect(() => tritonConfig({ name: 'x', stage, head: { ...head, inputs }, instances: 1 })).toThrow(
    'x is int64, with 2 axes',
  );
});
