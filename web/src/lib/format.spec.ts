import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatCountdown,
  formatDuration,
  formatEstimate,
  formatNumber,
  formatPrecisePercent,
  formatRelative,
  formatUtcDay,
  operationLabel,
  withReadableTimes,
} from './format.js';

describe('formats', () => {
  it.each([
    [0, '0%'],
    [0.000_49, '0.049%'],
    [0.0316, '3.2%'],
    [1, '100%'],
  ])('%d as %s', (share, text) => {
    expect(formatPrecisePercent(share)).toBe(text);
  });

  it.each([
    [0, '0 bytes'],
    [1_023, '1023 bytes'],
    [1_024, '1 kB'],
    [1_536, '1.5 kB'],
    [20 * 2 ** 20, '20 MB'],
    [1.25 * 2 ** 30, '1.25 GB'],
    [500 * 2 ** 30, '500 GB'],
    [5000 * 2 ** 40, '5000 TB'],
  ])('%d bytes as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it.each([
    [0.4, 'about 1 second'],
    [4.2, 'about 4 seconds'],
    [95, 'about 2 minutes'],
    [7_000, 'about 2 hours'],
  ])('%d seconds as %s', (seconds, text) => {
    expect(formatEstimate(seconds)).toBe(text);
  });

  it.each([
    [0.2, '< 1 ms'],
    [850.4, '850 ms'],
    [3_210, '3.2 s'],
    [999.6, '1 s'],
    [59_960, '1 min 0 s'],
    [119_700, '2 min 0 s'],
    [125_000, '2 min 5 s'],
    [3_599_700, '1 h 0 min'],
    [3_900_000, '1 h 5 min'],
  ])('%d ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it.each([
    [-10, 'now'],
    [-300, '5 minutes ago'],
    [3 * 86_400, 'in 3 days'],
    [-400 * 86_400, 'last year'],
  ])('%d seconds from now as "%s"', (seconds, text) => {
    const now = Date.UTC(2026, 0, 15);
    expect(formatRelative(new Date(now + seconds * 1_000).toISOString(), now)).toBe(text);
  });

  it('names the day in UTC', () => {
    expect(formatUtcDay('2026-12-01T00:00:00.000Z')).toBe('Dec 1, 2026 (UTC)');
    expect(formatUtcDay('2026-11-30T23:59:59.999Z')).toBe('Nov 30, 2026 (UTC)');
  });

  it('counts down to zero and not below', () => {
    expect(formatCountdown(5_025_000)).toBe('1:23:45');
    expect(formatCountdown(61_000)).toBe('01:01');
    expect(formatCountdown(-5)).toBe('00:00');
  });

  it('makes timestamps in a sentence readable, and nothing else', () => {
    expect(withReadableTimes('Wait until 2026-12-01T12:00:00.000Z or ask for job_2026-12-01.')).toMatch(
      /^Wait until \w{3} \d{1,2}, 2026, [\d:]+.[AP]M or ask for job_2026-12-01\.$/,
    );
  });

  it('names operations and numbers for people', () => {
    expect(operationLabel('bg_remove')).toBe('Remove background');
    expect(operationLabel('smooth_skin')).toBe('Smooth skin');
    expect(formatNumber(20_000)).toBe('20,000');
  });
});
