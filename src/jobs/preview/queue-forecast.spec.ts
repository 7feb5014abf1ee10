import { describe, expect, it } from 'vitest';
import { estimatedSeconds } from './queue-forecast.js';

const SPEED = { workers: 1, secondsPerPixel: 2e-6, rates: { 'upscale/low': 1e-6 } };
const job = (operation: string, pixels = 1_000_000) => ({
  accountId: 'me',
  steps: [{ operation, level: 'low', pixels }],
});
const work = (accountId: string, megapixels: number, waitingSeconds: number, runningSeconds = 0) => ({
  accountId,
  isBatch: false,
  price: megapixels * 1e6,
  waitingSeconds,
  runningSeconds,
});

describe('estimatedSeconds', () => {
  it('is the work alone while nothing waits, at the measured or the average speed', () => {
    expect(estimatedSeconds(job('upscale'), [], SPEED)).toBe(1.1);
    expect(estimatedSeconds(job('bg_remove'), [], SPEED)).toBe(2.1);
  });

  it('adds up the steps of a job, each with the pixels it starts with', () => {
    const steps = [
      { operation: 'upscale', level: 'low', pixels: 1e6 },
      { operation: 'bg_remove', level: 'low', pixels: 4e6 },
    ];
    expect(estimatedSeconds({ ...job('upscale'), steps }, [], SPEED)).toBe(9.1);
  });

  it('adds running and waiting work, divided among the workers', () => {
    const busy = [work('me', 2, 10, 4), work('other', 0, 0, 6)];
    expect(estimatedSeconds(job('upscale'), busy, SPEED)).toBe(21.1);
    expect(estimatedSeconds(job('upscale'), busy, { ...SPEED, workers: 2 })).toBe(11.1);
  });

  it('counts only the fair share of another account with a long queue', () => {
    expect(estimatedSeconds(job('upscale'), [work('other', 100, 1_000)], SPEED)).toBe(11.1);
    expect(estimatedSeconds(job('upscale'), [work('other', 1, 10)], SPEED)).toBe(11.1);
  });

  it('does not wait for the batches of its account, but a batch waits for everything', () => {
    const batch = { ...work('me', 100, 1_000), isBatch: true };
    const waiting = [work('me', 1, 10), batch];
    expect(estimatedSeconds(job('upscale'), [batch], SPEED)).toBe(11.1);
    expect(estimatedSeconds(job('upscale'), waiting, SPEED)).toBe(31.1);
    expect(estimatedSeconds({ ...job('upscale'), isBatch: true }, waiting, SPEED)).toBe(1_011.1);
  });

  it('counts the time that each job takes, however small its photo is', () => {
    const icons = { ...job('upscale', 1_000), isBatch: true, jobs: 30 };
    const steps = Array.from({ length: 30 }, () => icons.steps[0]!);
    expect(estimatedSeconds({ ...icons, steps }, [], SPEED)).toBe(3.1);
    expect(estimatedSeconds({ ...icons, steps }, [], { ...SPEED, workers: 2 })).toBe(1.6);
  });

  it('is unknown while no worker is serving', () => {
    expect(estimatedSeconds(job('upscale'), [], { ...SPEED, workers: 0 })).toBeNull();
  });
});
