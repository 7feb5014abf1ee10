import { describe, expect, it } from 'vitest';
import { fileFacts } from './file-facts.js';

const U2NETP = '309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8';

describe('fileFacts', () => {
  it('recognizes a published model by its hash', async () => {
    const facts = await fileFacts('/nowhere/model.onnx', U2NETP, {});
    expect(facts).toMatchObject({
      from: expect.stringContaining('the catalog'),
      reading: {
        range: [0, 1],
        mean: [0.485, 0.456, 0.406],
        channels: 'RGB',
        meaning: 'alpha',
        activation: 'minmax',
      },
    });
  });

  it.each([
    [
      { mean: '[0.5, 0.5, 0.5]', std: '0.5' },
      { range: [0, 1], mean: [0.5, 0.5, 0.5], std: [0.5] },
    ],
    [{ 'image.nominalpixelrange': 'NominalRange_0_255' }, { range: [0, 255] }],
    [
      { 'Image.NominalPixelRange': 'Normalized_1_1', 'Image.BitmapPixelFormat': 'Bgr8' },
      { range: [-1, 1], channels: 'BGR' },
    ],
    [{ range: '(0, 255)' }, { range: [0, 255] }],
  ])('reads the metadata %j', async (metadata, reading) => {
    expect(await fileFacts('/nowhere/model.onnx', '', metadata)).toMatchObject({ reading });
  });

  it('returns null for a file that it does not recognize', async () => {
    expect(await fileFacts('/nowhere/model.onnx', '', { author: 'nobody', mean: 'high' })).toBeNull();
  });
});
