import { describe, expect, it } from 'vitest';
import { trialDevice } from './trial-device.js';

const AUTO = { inferenceDevice: 'auto', inferenceDevices: undefined } as const;
const WITH_GPU = ['cuda', 'webgpu', 'cpu'] as const;

describe('trialDevice', () => {
  it('is the first device of a worker, with its index', async () => {
    expect(await trialDevice({ inferenceDevice: 'cuda', inferenceDevices: undefined })).toEqual({
      device: 'cuda',
    });
    const devices = [
      { provider: 'cuda', index: 1 },
      { provider: 'cuda', index: 2 },
    ] as const;
    expect(await trialDevice({ inferenceDevice: 'auto', inferenceDevices: devices })).toEqual({
      device: 'cuda',
      index: 1,
    });
  });

  it('is the CPU instead of WebGPU, which two processes cannot share', async () => {
    const devices = [{ provider: 'webgpu', index: 1 }] as const;
    expect(await trialDevice({ inferenceDevice: 'auto', inferenceDevices: devices })).toEqual({
      device: 'cpu',
    });
  });

  it('is CUDA for auto if CUDA works, so that the CPU does not run what CUDA cannot', async () => {
    const on = await trialDevice(AUTO, async ({ provider }) => provider === 'cuda', WITH_GPU);
    expect(on).toEqual({ device: 'cuda', isGuess: true });
  });

  it('is the CPU for auto if CUDA does not work, even if WebGPU does', async () => {
    const on = await trialDevice(AUTO, async ({ provider }) => provider === 'webgpu', WITH_GPU);
    expect(on).toEqual({ device: 'cpu', isGuess: true });
  });

  it('probes nothing for auto on a machine without a GPU', async () => {
    const probed = (): never => {
      throw new Error('it was probed');
    };
    expect(await trialDevice(AUTO, probed, ['cpu'])).toEqual({ device: 'cpu', isGuess: true });
  });
});
