import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DESCRIPTORS } from './env.js';
import { secretValues, settingsInForce, withAddedNames } from './settings-in-force.js';

const KEYS = ['a'.repeat(40), 'b'.repeat(40)];
const settingOf = (name: string, env: Record<string, string>) =>
  settingsInForce(env).find((setting) => setting.name === name);

let dir: string;
let file: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'ies-settings-'));
  file = join(dir, 'token');
  writeFileSync(file, 'hunter2\n');
});
afterAll(() => rmSync(dir, { recursive: true }));

describe('settingsInForce', () => {
  it('lists every variable once, in the order of the documentation', () => {
    expect(settingsInForce({}).map(({ name }) => name)).toEqual(
      Object.values(DESCRIPTORS).map(({ name }) => name),
    );
  });

  it.each([
    ['PORT', {}, { value: '3000', source: 'default' }],
    ['PORT', { PORT: ' 8080 ' }, { value: '8080', source: 'environment' }],
    ['PORT', { PORT: '' }, { value: '3000', source: 'default' }],
    ['PUBLIC_URL', {}, { value: 'http://localhost:<PORT>', source: 'default' }],
    ['SIGNUP', { SIGNUP: 'closed' }, { value: 'closed', source: 'environment' }],
    ['METRICS_TOKEN', { METRICS_TOKEN: 'hunter2' }, { value: null, source: 'environment', isSecret: true }],
    ['METRICS_TOKEN', {}, { value: null, source: 'default', isSecret: true }],
  ] as const)('reports the value of %s and where it comes from: %j', (name, env, expected) => {
    expect(settingOf(name, env)).toMatchObject({ name, ...expected });
  });

  it('shows no secret, whether from a file or inside a URL', () => {
    const env = {
      METRICS_TOKEN_FILE: file,
      URL_SIGNING_KEY: KEYS.join(','),
      DATABASE_URL: 'postgres://me:hunter2@db/ies',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://me:hunter2@home@collector.example:4318',
    };
    expect(settingOf('METRICS_TOKEN', env)).toMatchObject({ value: null, source: 'file' });
    expect(settingOf('OTEL_EXPORTER_OTLP_ENDPOINT', env)?.value).toBe('https://…@collector.example:4318');
    expect(JSON.stringify(settingsInForce(env))).not.toMatch(/hunter2|a{40}/);
  });

  it('distinguishes what the supervisor added from what was set before', () => {
    const before = { PORT: '8080' };
    const { IES_ADDED_VARIABLES: added } = withAddedNames({ PORT: '8080', DATA_DIR: '/data' }, before);
    const env = { ...before, DATA_DIR: '/data', IES_ADDED_VARIABLES: added! };
    expect(settingOf('DATA_DIR', env)).toMatchObject({ value: '/data', source: 'supervisor' });
    expect(settingOf('PORT', env)).toMatchObject({ source: 'environment' });
  });
});

describe('secretValues', () => {
  it('returns only the values of secrets, including each key of a list', () => {
    const env = { METRICS_TOKEN_FILE: file, URL_SIGNING_KEY: KEYS.join(','), PORT: '8080', SEALING_KEY: '' };
    expect(new Set(secretValues(env))).toEqual(new Set(['hunter2', KEYS.join(','), ...KEYS]));
  });
});
