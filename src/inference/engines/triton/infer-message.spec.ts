import { describe, expect, it } from 'vitest';
import { float32Tensor, uint8Tensor } from '../../tensor.js';
import { decodeInfer, encodeInfer } from './infer-message.js';

const answer = (outputs: unknown, ...data: readonly Uint8Array[]): [Buffer, string] => {
  const json = Buffer.from(JSON.stringify({ outputs }));
  return [Buffer.concat([json, ...data]), String(json.length)];
};

describe('an inference request', () => {
  it('is JSON, followed by the little-endian bytes of the tensors in the same order', () => {
    const image = uint8Tensor([1, 1, 1, 3], Uint8Array.of(1, 2, 3));
    const { body, jsonLength } = encodeInfer(
      { image, strength: float32Tensor([1], [0.5]) },
      ['enhanced'],
      250,
    );
    expect(JSON.parse(body.toString('utf8', 0, jsonLength))).toEqual({
      inputs: [
        { name: 'image', datatype: 'UINT8', shape: [1, 1, 1, 3], parameters: { binary_data_size: 3 } },
        { name: 'strength', datatype: 'FP32', shape: [1], parameters: { binary_data_size: 4 } },
      ],
      outputs: [{ name: 'enhanced', parameters: { binary_data: true } }],
      parameters: { timeout: 250_000 },
    });
    expect([...body.subarray(jsonLength)]).toEqual([1, 2, 3, 0, 0, 0, 0x3f]);
  });
});

describe('the response to an inference request', () => {
  it('yields tensors that own their buffers', () => {
    const floats = Buffer.from(Float32Array.of(0.5, -1).buffer);
    const { map, enhanced } = decodeInfer(
      ...answer(
        [
          { name: 'enhanced', datatype: 'UINT8', shape: [1, 3], parameters: { binary_data_size: 3 } },
          { name: 'map', datatype: 'FP32', shape: [2], parameters: { binary_data_size: 8 } },
        ],
        Uint8Array.of(7, 8, 9),
        floats,
      ),
    );
    expect(enhanced).toEqual(uint8Tensor([1, 3], Uint8Array.of(7, 8, 9)));
    expect(map).toEqual(float32Tensor([2], [0.5, -1]));
    expect(map!.data.buffer.byteLength).toBe(8);
  });

  it('may be JSON alone', () => {
    const [body] = answer([{ name: 'map', datatype: 'FP32', shape: [2, 1], data: [[0.25], [1]] }]);
    expect(decodeInfer(body, undefined)).toEqual({ map: float32Tensor([2, 1], [0.25, 1]) });
  });

  it.each([
    [
      'too few bytes',
      answer([{ name: 'map', datatype: 'FP32', shape: [2], parameters: { binary_data_size: 8 } }]),
      'the output map has 0 bytes, its shape says 8',
    ],
    [
      'other types',
      answer([{ name: 'map', datatype: 'FP16', shape: [2], parameters: { binary_data_size: 4 } }]),
      'the output map is FP16; outputs are UINT8 or FP32',
    ],
    [
      'too few numbers',
      answer([{ name: 'map', datatype: 'FP32', shape: [2], data: [1] }]),
      'the output map has 1 numbers, not as many as its shape says',
    ],
    ['no outputs', answer(undefined), "the server's answer has no outputs"],
    ['a wrong header', [Buffer.from('{}'), '900'] as [Buffer, string], "the server's answer has 2 bytes"],
  ])('with %s is refused', (_, given, message) => {
    expect(() => decodeInfer(...given)).toThrow(message);
  });
});
