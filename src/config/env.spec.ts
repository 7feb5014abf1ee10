import { isAbsolute } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, DESCRIPTORS, readConfig } from './env.js';

/** Returns every error of an environment. */
function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('readConfig', () => {
  it('needs nothing: every variable has a default', () => {
    const config = readConfig({});
    expect(config).toMatchObject({ host: '127.0.0.1', port: 3000, publicUrl: 'http://localhost:3000' });
    expect(config.uploadMaxBytes).toBe(20 * 2 ** 20);
    expect(config.maxInputPixels).toBe(50_000_000);
    expect(config.fileUrlTtlSeconds).toBe(86_400);
    expect(isAbsolute(config.dataDir)).toBe(true);
    expect(isAbsolute(config.modelsDir)).toBe(true);
  });

  it('derives the public address from the port, unless it is given', () => {
    expect(readConfig({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
    expect(readConfig({ PORT: '8080', PUBLIC_URL: 'https://images.example/' }).publicUrl).toBe(
      'https://images.example',
    );
  });

  it('reports every fault at once, each with its variable', () => {
    const faults = faultsOf({
      PORT: 'http',
      PUBLIC_URL: 'ftp://x',
      LOG_LEVEL: 'loud',
      TRUST_PROXY: 'maybe',
      UPLOAD_MAX_BYTES: String(20 * 2 ** 20 + 1),
      URL_SIGNING_KEY: 'short',
    });
    expect(faults.map((fault) => fault.split(' ')[0]!).toSorted()).toEqual([
      'LOG_LEVEL',
      'PORT',
      'PUBLIC_URL',
      'TRUST_PROXY',
      'UPLOAD_MAX_BYTES',
      'URL_SIGNING_KEY',
    ]);
    expect(new ConfigError(faults).message).toContain('docs/configuration.md');
  });

  it('never repeats a secret in a fault', () => {
    const faults = faultsOf({ URL_SIGNING_KEY: 'hunter2', DATABASE_URL: 'mysql://root:hunter2@x/y' });
    expect(faults).toHaveLength(2);
    expect(faults.join()).not.toContain('hunter2');
  });

  it('sends webhooks to public addresses over https only, unless told otherwise', () => {
    expect(readConfig({})).toMatchObject({ webhookAllowHttp: false, webhookAllowNetworks: [] });
    const networks = readConfig({ WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8, fd00::/8' }).webhookAllowNetworks;
    expect(networks).toEqual(['127.0.0.0/8', 'fd00::/8']);
    for (const wrong of ['127.0.0.1', '127.0.0.0/33', '10.0.0.0/8,', 'localhost', '::/129']) {
      expect(faultsOf({ WEBHOOK_ALLOW_NETWORKS: wrong }), wrong).toEqual([
        expect.stringMatching(/^WEBHOOK_ALLOW_NETWORKS must be networks such as 127\.0\.0\.0\/8/),
      ]);
    }
  });

  it('requires a sealing key of at least 32 characters', () => {
    expect(faultsOf({ SEALING_KEY: 'hunter2' })).toEqual(['SEALING_KEY must have at least 32 characters']);
  });

  it.each(['URL_SIGNING_KEY', 'SEALING_KEY'])('accepts several keys in %s, newest first', (name) => {
    const [older, newer] = ['o'.repeat(32), 'n'.repeat(32)];
    const { signingKeys, sealingKeys } = readConfig({ [name]: `${newer}, ${older}` });
    expect(name === 'SEALING_KEY' ? sealingKeys : signingKeys).toEqual([newer, older]);
    for (const wrong of [`${newer},`, `${newer},hunter2`, `,${newer}`, `${newer},${newer}`]) {
      const faults = faultsOf({ [name]: wrong });
      expect(faults, wrong).toHaveLength(1);
      expect(faults[0]).toMatch(/must have at least 32 characters in each of its keys|same key twice/);
      expect(faults[0]).not.toMatch(/hunter2|nnn/);
    }
  });

  it('refuses an upload limit above the 20 MB of the specification', () => {
    expect(faultsOf({ UPLOAD_MAX_BYTES: String(20 * 2 ** 20) })).toEqual([]);
    expect(faultsOf({ UPLOAD_MAX_BYTES: String(20 * 2 ** 20 + 1) })).toHaveLength(1);
  });

  it('refuses a pooler or a replica for the embedded database', () => {
    const url = 'postgres://db.example/ies';
    expect(faultsOf({ DATABASE_DIRECT_URL: url, DATABASE_READ_URL: url })).toEqual([
      'DATABASE_DIRECT_URL is set without DATABASE_URL',
      'DATABASE_READ_URL is set without DATABASE_URL',
    ]);
    expect(faultsOf({ DATABASE_URL: url, DATABASE_DIRECT_URL: url, DATABASE_READ_URL: url })).toEqual([]);
  });

  it('requires both issuer and client ID, and lets OIDC_SIGNUP default to SIGNUP', () => {
    const provider = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'images' };
    for (const name of Object.keys(provider))
      expect(faultsOf({ ...provider, [name]: '' })).toEqual([
        'OIDC_ISSUER and OIDC_CLIENT_ID must both be set, or neither',
      ]);
    expect(faultsOf({ OIDC_CLIENT_SECRET: 'hunter2' })).toEqual([
      'OIDC_CLIENT_SECRET is set without OIDC_ISSUER',
    ]);
    expect(readConfig(provider).oidcSignUp).toBe('open');
    expect(readConfig({ ...provider, SIGNUP: 'closed' }).oidcSignUp).toBe('closed');
    expect(readConfig({ ...provider, SIGNUP: 'closed', OIDC_SIGNUP: 'open' }).oidcSignUp).toBe('open');
  });
});

describe('DESCRIPTORS', () => {
  it('name each variable once and say what it is for', () => {
    const all = Object.values(DESCRIPTORS);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const { name, text, format, defaultText } of all) {
      expect(name).toMatch(/^[A-Z][A-Z0-9_]*$/);
      expect(text, name).toMatch(/\w.*[.`]$/);
      expect(format, name).not.toBe('');
      expect(defaultText, name).not.toBe('');
    }
  });
});
