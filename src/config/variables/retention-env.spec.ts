import { describe, expect, it } from 'vitest';
import { readConfig } from '../env.js';

describe('retention', () => {
  it('sets days for all plans, or for some, with the default for the others', () => {
    expect(readConfig({ RETENTION_EVENT_DAYS: '60' }).retentionEventDays).toEqual({
      free: 60,
      personal: 60,
      business: 60,
      enterprise: 60,
    });
    expect(readConfig({ RETENTION_DELIVERY_DAYS: 'free=10, business=0' }).retentionDeliveryDays).toEqual({
      free: 10,
      personal: 30,
      business: 0,
      enterprise: 30,
    });
  });

  it('limits results only for the plans that have days', () => {
    expect(readConfig({}).retentionResultDays).toEqual({});
    expect(readConfig({ RETENTION_RESULT_DAYS: 'free=7' }).retentionResultDays).toEqual({ free: 7 });
    expect(readConfig({ RETENTION_RESULT_DAYS: '90' }).retentionResultDays).toMatchObject({ enterprise: 90 });
    expect(readConfig({ RETENTION_RESULT_DAYS: 'free=10,business=30' }).retentionResultDays).toEqual({
      free: 10,
      business: 30,
    });
  });

  it('keeps results at most for as many seconds as a job can store', () => {
    const { retentionResultDays } = readConfig({ RETENTION_RESULT_DAYS: 'free=24855' });
    expect(retentionResultDays.free! * 86_400).toBeLessThanOrEqual(2 ** 31 - 1);
    expect(() => readConfig({ RETENTION_RESULT_DAYS: 'free=24856' })).toThrow('days from 1 to 24855');
    expect(readConfig({ RETENTION_EVENT_DAYS: '36600' }).retentionEventDays.free).toBe(36_600);
  });

  it.each([
    ['RETENTION_RESULT_DAYS', 'free=1.5'],
    ['RETENTION_RESULT_DAYS', '0'],
    ['RETENTION_RESULT_DAYS', 'free=0'],
    ['RETENTION_RESULT_DAYS', 'business=90, free = 0'],
    ['RETENTION_DELIVERY_DAYS', '6'],
    ['RETENTION_EVENT_DAYS', 'free=6'],
    ['RETENTION_EVENT_DAYS', 'gold=30'],
    ['RETENTION_JOB_DAYS', '91'],
    ['RETENTION_USAGE_DAYS', '91'],
    ['RETENTION_USAGE_DAYS', '0'],
    ['RETENTION_IDEMPOTENCY_HOURS', '0'],
    ['RETENTION_IDEMPOTENCY_HOURS', '1.5'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(name);
  });
});
