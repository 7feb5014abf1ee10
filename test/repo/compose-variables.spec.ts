import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { readConfig } from '../../src/config/env.js';
import { S3_DESCRIPTORS } from '../../src/config/variables/s3-env.js';
import { s3Settings } from '../../src/infra/storage/s3/s3-settings.js';
import {
  COMPOSE_READER,
  hasComposeReader,
  readCompose,
  resolveCompose,
} from '../support/containers/compose-files.js';

const page = readFileSync(join(ROOT, 'docs/containers.md'), 'utf8');

const why = hasComposeReader ? '' : ` (skipped: ${COMPOSE_READER} is missing)`;

describe('docker/compose.bucket.yaml', () => {
  const files = ['compose.yaml', 'compose.bucket.yaml'];
  const roles = ['api', 'worker', 'dispatcher'];

  it('sets only variables that the service or the AWS SDK knows, for each role', () => {
    const { services, secrets } = readCompose('compose.bucket.yaml');
    expect(Object.keys(services)).toEqual(roles);
    const known = Object.values(S3_DESCRIPTORS).map(({ name }) => name);
    for (const { environment, secrets: mounted } of Object.values(services)) {
      const { AWS_SHARED_CREDENTIALS_FILE: credentials, ...own } = environment!;
      expect(known).toEqual(expect.arrayContaining(Object.keys(own)));
      expect(credentials).toBe('/run/secrets/s3_credentials');
      expect(mounted).toEqual(['s3_credentials']);
    }
    expect(secrets).toEqual({ s3_credentials: { file: './secrets/s3_credentials' } });
  });

  it.skipIf(!hasComposeReader)(`gives each role the bucket in its region, on Amazon's server${why}`, () => {
    const variables = { OBJECT_STORE_URL: 's3://photos/here', AWS_REGION: 'eu-central-1' };
    const services = resolveCompose(files, variables);
    expect(Object.keys(services)).not.toContain('s3');
    for (const role of roles) {
      const { environment } = services[role]!;
      const given = Object.entries(environment).filter(([name]) => !name.endsWith('_FILE'));
      const settings = s3Settings(readConfig(Object.fromEntries(given)));
      const expected = { bucket: 'photos', prefix: 'here/', region: 'eu-central-1', forcePathStyle: false };
      expect(settings, role).toMatchObject({ ...expected, endpoint: undefined });
    }
  });

  it.skipIf(!hasComposeReader)(`refuses to start without a bucket${why}`, () => {
    expect(() => resolveCompose(files)).toThrow(/OBJECT_STORE_URL/);
  });
});

describe('the variables of a reverse proxy', () => {
  const variables = {
    PUBLIC_URL: 'https://images.example.com',
    TRUST_PROXY: 'true',
    BIND_ADDRESS: '127.0.0.1',
  };

  it('are documented, and TRUST_PROXY is off by default', () => {
    for (const [name, value] of Object.entries(variables)) expect(page).toContain(`${name}=${value}`);
    expect(readCompose('compose.yaml').services['api']!.environment!['TRUST_PROXY']).toBe(
      '${TRUST_PROXY:-false}',
    );
  });

  it.skipIf(!hasComposeReader)(`reach the api, and close its port to others${why}`, () => {
    const api = resolveCompose(['compose.yaml'], variables)['api']!;
    expect(api.environment).toMatchObject({ PUBLIC_URL: variables.PUBLIC_URL, TRUST_PROXY: 'true' });
    expect(api.ports).toMatchObject([{ host_ip: '127.0.0.1', published: '3000', target: 3000 }]);
  });

  it.skipIf(!hasComposeReader)(`leave the port open on IPv4 and IPv6 when they are not set${why}`, () => {
    const api = resolveCompose(['compose.yaml'])['api']!;
    expect(api.environment['TRUST_PROXY']).toBe('false');
    expect(api.ports).toMatchObject([{ published: '3000', target: 3000 }]);
    expect(api.ports![0]).not.toHaveProperty('host_ip');
  });
});

describe('models in a folder of the host', () => {
  const files = [...page.matchAll(/```yaml\n(# docker\/compose\.local\.yaml\n[^`]+)```/g)];
  const file = files.map(([, text]) => text!).find((text) => text.includes('MODELS_DIR'))!;

  it('are given to the api and the worker', () => {
    const { services } = parse(file) as { readonly services: Readonly<Record<string, unknown>> };
    expect(Object.keys(services)).toEqual(['api', 'worker']);
    for (const service of Object.values(services))
      expect(service).toEqual({
        environment: { MODELS_DIR: '/models' },
        volumes: ['/srv/models:/models:ro'],
      });
  });

  it.skipIf(!hasComposeReader)(`are mounted beside the data, read-only${why}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'ies-compose-'));
    const path = join(folder, 'compose.local.yaml');
    writeFileSync(path, file);
    const services = resolveCompose(['compose.yaml', path]);
    rmSync(folder, { recursive: true });
    for (const role of ['api', 'worker']) {
      const { environment, volumes } = services[role]!;
      expect(environment, role).toMatchObject({ MODELS_DIR: '/models', PUBLIC_URL: 'http://localhost:3000' });
      expect(volumes, role).toMatchObject([
        { type: 'volume', target: '/data' },
        { type: 'bind', source: '/srv/models', target: '/models', read_only: true },
      ]);
    }
    expect(services['worker']!.environment['MODEL_SWAP']).toBe('exit');
    expect(services['dispatcher']!.environment).not.toHaveProperty('MODELS_DIR');
  });
});
