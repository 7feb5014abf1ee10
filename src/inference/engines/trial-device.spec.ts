import { describe, expect, it } from 'vitest';
import { trialDevice } from './trial-device.js';

describe('trialDevice', () => {
  it('is the first device of a worker, with its index', () => {
    expect(trialDevice({ inferenceDevice: 'cuda', inferenceDevices: undefined })).toEqual({ device: 'cuda' });
    const devices = [
      { provider: 'cuda', index: 1 },
      { provider: 'cuda', index: 2 },
    ] as const;
    expect(trialDevice({ inferenceDevice: 'auto', inferenceDevices: devices })).toEqual({
      device: 'cuda',
      index: 1,
    });
  });

  it('is the CPU instead of WebGPU, which two processes cannot share', () => {
    const devices = [{ provider: 'webgpu', index: 1 }] as const;
    expect(trialDevice({ inferenceDevice: 'auto', inferenceDevices: devices })).toEqual({ device: 'cpu' });
  });
});
