import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../env.js';

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('TRITON_URL', () => {
  it('is one or more addresses, with or without credentials, and none by default', () => {
    expect(readConfig({}).tritonUrls).toEqual([]);
    expect(readConfig({ TRITON_URL: 'http://triton:8000/' }).tritonUrls).toEqual(['http://triton:8000']);
    expect(readConfig({ TRITON_URL: 'http://ada:secret@one:8000, https://two/kserve' }).tritonUrls).toEqual([
      'http://ada:secret@one:8000',
      'https://two/kserve',
    ]);
  });

  it.each(['grpc://ada:hunter2@triton:8001', 'http://ada:hunter2@one:8000,,http://two', 'hunter2'])(
    'is refused without repeating the password: %s',
    (value) => {
      const faults = faultsOf({ TRITON_URL: value });
      expect(faults).toEqual([expect.stringMatching(/^TRITON_URL must /)]);
      expect(faults.join()).not.toContain('hunter2');
    },
  );
});

it('the deadline of a request is between a tenth of a second and ten minutes', () => {
  expect(readConfig({}).tritonTimeoutMs).toBe(30_000);
  expect(readConfig({ TRITON_TIMEOUT_MS: '250' }).tritonTimeoutMs).toBe(250);
  expect(faultsOf({ TRITON_TIMEOUT_MS: '99' })).toHaveLength(1);
  expect(faultsOf({ TRITON_TIMEOUT_MS: '600001' })).toHaveLength(1);
});
