import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  bareEnvironment,
  childEnvironment,
  deviceEnvironment,
  keepsLargeBlocks,
  workerEnvironment,
} from './child-environment.js';

const SECRETS = {
  DATABASE_URL: 'postgres://u:pw@h/db',
  SEALING_KEY: 's'.repeat(40),
  NVIDIA_API_KEY: 'abc',
  TF_VAR_db: 'abc',
  VK_ACCESS_TOKEN: 'abc',
  S3_BACKEND: 'https://me:mine@host/',
};

describe('the environment of a child process', () => {
  afterEach(() => vi.unstubAllEnvs());

  const inside = (env: Record<string, string>): void => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  };

  it('of a role inherits every variable, adds the given ones, and drops the removed ones', () => {
    inside({ ...SECRETS, LOG_LEVEL: 'warn' });
    const found = childEnvironment({ PORT: '1', LOG_LEVEL: undefined });
    expect(found).toMatchObject({ ...SECRETS, PORT: '1' });
    expect(found).not.toHaveProperty('LOG_LEVEL');
  });

  it('drops the _FILE variable of a secret that is given or removed', () => {
    inside({
      SEALING_KEY_FILE: '/run/secrets/sealing',
      DATABASE_URL_FILE: '/run/secrets/db',
      METRICS_TOKEN_FILE: '/t',
    });
    for (const environmentOf of [childEnvironment, workerEnvironment]) {
      const found = environmentOf({ DATABASE_URL: 'postgres://h/db', SEALING_KEY: undefined });
      expect(found).not.toHaveProperty('DATABASE_URL_FILE');
      expect(found).not.toHaveProperty('SEALING_KEY_FILE');
      expect(found).toMatchObject({ METRICS_TOKEN_FILE: '/t' });
    }
    expect(deviceEnvironment()).not.toHaveProperty('DATABASE_URL_FILE');
  });

  it('gives a worker a heap that keeps large blocks where supported, unless the operator overrides it', () => {
    for (const name of ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'])
      vi.stubEnv(name, undefined);
    expect(keepsLargeBlocks()).toBe(false);
    expect(childEnvironment({})).not.toHaveProperty('MALLOC_TRIM_THRESHOLD_');
    const { glibcVersionRuntime = '0' } = (process.report.getReport() as { header: Record<string, string> })
      .header;
    const [, minor = 0] = glibcVersionRuntime.split('.').map(Number);
    expect(workerEnvironment({})['MALLOC_TRIM_THRESHOLD_']).toBe(minor >= 36 ? '200000000' : undefined);
    inside({ MALLOC_ARENA_MAX: '4', MALLOC_MMAP_THRESHOLD_: '500000000' });
    expect(workerEnvironment({})).toMatchObject({
      MALLOC_ARENA_MAX: '4',
      MALLOC_MMAP_THRESHOLD_: '500000000',
    });
    expect(deviceEnvironment()).toMatchObject({ MALLOC_ARENA_MAX: '4' });
    expect(keepsLargeBlocks()).toBe(minor >= 36);
  });

  it('computes float32 in full precision where models run, unless the operator overrides it', () => {
    vi.stubEnv('NVIDIA_TF32_OVERRIDE', undefined);
    expect(childEnvironment({})).not.toHaveProperty('NVIDIA_TF32_OVERRIDE');
    for (const environment of [workerEnvironment({}), deviceEnvironment()])
      expect(environment).toMatchObject({ NVIDIA_TF32_OVERRIDE: '0' });
    inside({ NVIDIA_TF32_OVERRIDE: '1' });
    for (const environment of [workerEnvironment({}), deviceEnvironment()])
      expect(environment).toMatchObject({ NVIDIA_TF32_OVERRIDE: '1' });
  });

  it('gives a worker enough threads for the files of jobs, unless the operator overrides the number', () => {
    vi.stubEnv('UV_THREADPOOL_SIZE', undefined);
    expect(workerEnvironment({})).toMatchObject({ UV_THREADPOOL_SIZE: '64' });
    expect(childEnvironment({})).not.toHaveProperty('UV_THREADPOOL_SIZE');
    inside({ UV_THREADPOOL_SIZE: '8' });
    expect(workerEnvironment({})).toMatchObject({ UV_THREADPOOL_SIZE: '8' });
  });

  it('holds no secret in processes that handle untrusted input', () => {
    inside({ ...SECRETS, CUDA_VISIBLE_DEVICES: '1', XDG_DATA_HOME: '/data', VK_ICD_FILENAMES: '/icd.json' });
    const bare = bareEnvironment();
    const device = deviceEnvironment({ VK_ICD_FILENAMES: '/other.json' });
    for (const name of Object.keys(SECRETS))
      expect([name, bare[name], device[name]]).toEqual([name, undefined, undefined]);
    expect(bare).toMatchObject({ PATH: process.env['PATH'] });
    expect(bare).not.toHaveProperty('CUDA_VISIBLE_DEVICES');
    expect(device).toMatchObject({
      CUDA_VISIBLE_DEVICES: '1',
      XDG_DATA_HOME: '/data',
      VK_ICD_FILENAMES: '/other.json',
    });
  });
});
