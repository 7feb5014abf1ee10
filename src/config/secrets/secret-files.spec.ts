import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Descriptor } from '../variables/descriptor.js';
import { ConfigError, DESCRIPTORS, readConfig } from '../env.js';

const KEY = 'k'.repeat(40);
const ALL: readonly Descriptor<unknown>[] = Object.values(DESCRIPTORS);

describe('a secret in a file', () => {
  let dir: string;
  beforeAll(() => (dir = mkdtempSync(join(tmpdir(), 'ies-secret-files-'))));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  function file(content: string): string {
    const path = join(dir, `secret-${Math.random().toString(36).slice(2)}`);
    writeFileSync(path, content);
    chmodSync(path, 0o400);
    return path;
  }

  function faultsOf(env: Record<string, string>): readonly string[] {
    try {
      readConfig(env);
    } catch (error) {
      if (error instanceof ConfigError) return error.faults;
      throw error;
    }
    return [];
  }

  it.each(['', '\n', '\r\n', '\n\n'])('is read without its line ending: %j', (end) => {
    expect(readConfig({ SEALING_KEY_FILE: file(`${KEY}${end}`) }).sealingKeys).toEqual([KEY]);
  });

  it('can replace any variable that holds a password or key', () => {
    expect(ALL.filter(({ isSecret }) => isSecret === true).map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'DATABASE_URL',
        'REDIS_URL',
        'METRICS_TOKEN',
        'URL_SIGNING_KEY',
        'SEALING_KEY',
      ]),
    );
    const config = readConfig({
      DATABASE_URL_FILE: file('postgres://me:secret@db/ies\n'),
      REDIS_URL_FILE: file('redis://:secret@redis'),
      METRICS_TOKEN_FILE: file('token'),
      URL_SIGNING_KEY_FILE: file(`${KEY}1,${KEY}2`),
    });
    expect(config).toMatchObject({
      databaseUrl: 'postgres://me:secret@db/ies',
      redisUrl: 'redis://:secret@redis',
      metricsToken: 'token',
      signingKeys: [`${KEY}1`, `${KEY}2`],
    });
  });

  it('is supported by every variable whose name ends like that of a secret', () => {
    const texts = ALL.filter(({ format }) => !format.startsWith('whole number'));
    const named = texts.filter(({ name }) => /(?:KEY|TOKEN|SECRET|PASSWORD)$/.test(name));
    expect(named.length).toBeGreaterThan(2);
    for (const { name, isSecret } of named) expect([name, isSecret]).toEqual([name, true]);
  });

  it('cannot be combined with a value, except an empty one', () => {
    const path = file(KEY);
    expect(faultsOf({ SEALING_KEY: KEY, SEALING_KEY_FILE: path })).toEqual([
      'SEALING_KEY and SEALING_KEY_FILE are both set; set one of them',
    ]);
    expect(readConfig({ SEALING_KEY: '', SEALING_KEY_FILE: path }).sealingKeys).toEqual([KEY]);
    expect(readConfig({ SEALING_KEY: KEY, SEALING_KEY_FILE: '' }).sealingKeys).toEqual([KEY]);
  });

  it('must be readable and not empty', () => {
    const missing = join(dir, 'missing');
    const empty = file(' \n');
    expect(faultsOf({ SEALING_KEY_FILE: missing, REDIS_URL_FILE: dir, METRICS_TOKEN_FILE: empty })).toEqual([
      `REDIS_URL cannot be read from the file that REDIS_URL_FILE names (${dir}: EISDIR)`,
      `SEALING_KEY cannot be read from the file that SEALING_KEY_FILE names (${missing}: ENOENT)`,
      `METRICS_TOKEN is empty in the file of METRICS_TOKEN_FILE (${empty})`,
    ]);
  });

  it('is checked like a plain value, and never repeated in a fault', () => {
    const faults = faultsOf({
      SEALING_KEY_FILE: file('hunter2'),
      DATABASE_URL_FILE: file('mysql://u:hunter2@h/d'),
    });
    expect(faults).toHaveLength(2);
    expect(faults.join()).not.toContain('hunter2');
  });

  it('is supported for secrets only', () => {
    expect(readConfig({ PORT_FILE: file('1234') }).port).toBe(3000);
  });
});
