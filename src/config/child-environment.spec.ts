import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  bareEnvironment,
  childEnvironment,
  deviceEnvironment,
  workerEnvironment,
} from './child-environment.js';

const SECRETS = { DATABASE_URL: 'postgres://u:pw@h/db', SEALING_KEY: 's'.repeat(40), SOME_TOKEN: 'abc' };

describe('the environment of a process that is started', () => {
  afterEach(() => vi.unstubAllEnvs());

  const inside = (env: Record<string, string>): void => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  };

  it('of a role has everything, with what is said beside it, and without what is taken away', () => {
    inside({ ...SECRETS, LOG_LEVEL: 'warn' });
    const found = childEnvironment({ PORT: '1', LOG_LEVEL: undefined });
    expect(found).toMatchObject({ ...SECRETS, PORT: '1' });
    expect(found).not.toHaveProperty('LOG_LEVEL');
  });

  it('leaves the allocator as an operator set it', () => {
    expect(workerEnvironment({})).toMatchObject({
      MALLOC_ARENA_MAX: '1',
      MALLOC_TRIM_THRESHOLD_: '200000000',
    });
    expect(childEnvironment({})).not.toHaveProperty('MALLOC_TRIM_THRESHOLD_');
    inside({ MALLOC_ARENA_MAX: '4' });
    expect(workerEnvironment({})).toMatchObject({ MALLOC_ARENA_MAX: '4' });
  });

  it('holds no secret where strangers are served', () => {
    inside({ ...SECRETS, CUDA_VISIBLE_DEVICES: '1', VK_ICD_FILENAMES: '/icd.json' });
    const bare = bareEnvironment();
    const device = deviceEnvironment({ VK_ICD_FILENAMES: '/other.json' });
    for (const name of Object.keys(SECRETS))
      expect([bare[name], device[name]]).toEqual([undefined, undefined]);
    expect(bare).toMatchObject({ PATH: process.env['PATH'] });
    expect(bare).not.toHaveProperty('CUDA_VISIBLE_DEVICES');
    expect(device).toMatchObject({ CUDA_VISIBLE_DEVICES: '1', VK_ICD_FILENAMES: '/other.json' });
  });
});
