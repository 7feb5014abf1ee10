import { describe, expect, it } from 'vitest';
import { devices } from './inference-devices.js';

const { read } = devices('INFERENCE_DEVICES', { text: '' });

describe('INFERENCE_DEVICES', () => {
  it('is a list of devices, with GPUs by number', () => {
    expect(read(undefined)).toBeUndefined();
    expect(read(' ')).toBeUndefined();
    expect(read('cuda:0, cuda:1')).toEqual([
      { provider: 'cuda', index: 0 },
      { provider: 'cuda', index: 1 },
    ]);
    expect(read('cpu,cpu')).toEqual([{ provider: 'cpu' }, { provider: 'cpu' }]);
    expect(read('webgpu')).toEqual([{ provider: 'webgpu' }]);
  });

  it.each([
    ['gpu', 'not "gpu"'],
    ['cuda:0,', 'not ""'],
    ['cuda:x', 'not "cuda:x"'],
    ['cpu:1', 'cannot choose among devices with cpu; write "cpu", not "cpu:1"'],
    ['webgpu:0', 'cannot choose among devices with webgpu'],
    ['cuda:1,cuda:1', 'names cuda:1 twice'],
    ['cuda,cuda:0', 'names cuda:0 twice'],
    ['webgpu,webgpu', 'names webgpu:0 twice'],
  ])('refuses %s', (raw, text) => {
    expect(() => read(raw)).toThrow(text);
  });
});
