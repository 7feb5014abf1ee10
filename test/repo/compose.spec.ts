import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkNameOf, imagesOf, overrideOf } from '../../scripts/images/check-images.mjs';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { DESCRIPTORS } from '../../src/config/env.js';
import type { Descriptor } from '../../src/config/variables/descriptor.js';
import { OIDC_DESCRIPTORS } from '../../src/config/variables/oidc/oidc-env.js';
import {
  COMPOSE_FILES,
  COMPOSE_READER,
  type ComposeFile,
  DOCKER,
  hasComposeReader,
  readCompose,
} from '../support/containers/compose-files.js';

const dockerfile = readFileSync(join(DOCKER, 'Dockerfile'), 'utf8');

const VARIABLES = new Set<string>(
  Object.values<Descriptor<unknown>>(DESCRIPTORS).flatMap(({ name, isSecret }) =>
    isSecret === true ? [name, `${name}_FILE`] : [name],
  ),
);
const TARGETS = [...dockerfile.matchAll(/^FROM .* AS (\S+)$/gm)].map(([, name]) => name!);
const OURS = /^image-enhancement\//;

it.each(['.gitignore', 'docker/Dockerfile.dockerignore'])('%s names the folder of the secrets', (name) => {
  const ignored = readFileSync(join(ROOT, name), 'utf8').split('\n');
  const files = Object.values(readCompose('compose.yaml').secrets!).map(({ file }) => file);
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) {
    expect(file).toMatch(/^\.\/secrets\/[^/]+$/);
    expect(ignored.map((line) => line.replace(/\/$/, ''))).toContain('docker/secrets');
  }
});

describe.each(['compose.yaml', 'compose.gpu.yaml'])('docker/%s', (name) => {
  const { services, secrets } = readCompose(name);
  const own = Object.entries(services).filter(([, { image }]) => OURS.test(image ?? ''));

  it('sets only variables that the service knows', () => {
    expect(own.length).toBeGreaterThan(0);
    for (const [service, { environment = {} }] of own)
      for (const variable of Object.keys(environment))
        expect(VARIABLES.has(variable), `${service}: ${variable}`).toBe(true);
  });

  it('uses targets of the Dockerfile, and images named after them', () => {
    for (const [, { build, image }] of own) {
      expect(TARGETS).toContain(build!.target);
      expect(image).toBe(`image-enhancement/${build!.target}`);
      expect(existsSync(join(ROOT, 'docker', build!.context, build!.dockerfile))).toBe(true);
    }
  });

  it('mounts each secret that a variable refers to, and contains no secret itself', () => {
    for (const [service, { environment = {}, secrets: mounted = [] }] of own) {
      const files = Object.entries(environment).filter(([variable]) => variable.endsWith('_FILE'));
      for (const [, path] of files) expect(mounted, service).toContain(path.replace('/run/secrets/', ''));
      for (const secret of mounted) expect(Object.keys(secrets ?? {})).toContain(secret);
      for (const variable of Object.keys(environment))
        if (VARIABLES.has(`${variable}_FILE`)) expect([service, variable]).toEqual([service, 'REDIS_URL']);
    }
  });
});

describe('docker/compose.yaml', () => {
  it('publishes the port that the default PUBLIC_URL has', () => {
    const { services } = readCompose('compose.yaml');
    expect(services['api']!.ports).toEqual(['${BIND_ADDRESS:+${BIND_ADDRESS}:}${PORT:-3000}:3000']);
    for (const role of ['migrate', 'api', 'worker', 'dispatcher'])
      expect(services[role]!.environment!['PUBLIC_URL'], role).toBe(
        '${PUBLIC_URL:-http://localhost:${PORT:-3000}}',
      );
  });
});

describe('docker/compose.s3.yaml', () => {
  const { services, secrets } = readCompose('compose.s3.yaml');

  it.each(['api', 'worker', 'dispatcher'])('gives the %s a bucket and credentials in a file', (role) => {
    const { environment = {}, secrets: mounted } = services[role]!;
    const { AWS_SHARED_CREDENTIALS_FILE: file, ...own } = environment;
    for (const variable of Object.keys(own)) expect(VARIABLES.has(variable), variable).toBe(true);
    expect(Object.keys(own)).toContain('OBJECT_STORE_URL');
    expect(file).toBe('/run/secrets/s3_credentials');
    expect(mounted).toEqual(['s3_credentials']);
    expect(Object.keys(secrets!)).toEqual(['s3_credentials']);
  });
});

describe('docker/compose.mail.yaml', () => {
  it('gives the sender to the api and the dispatcher, and the mail server to the dispatcher only', () => {
    const { services, secrets } = readCompose('compose.mail.yaml');
    expect(Object.keys(services)).toEqual(['api', 'dispatcher']);
    expect(Object.keys(services['api']!.environment!)).toEqual(['SMTP_FROM']);
    expect(services['dispatcher']).toMatchObject({
      environment: { SMTP_FROM: expect.any(String) as string, SMTP_URL_FILE: '/run/secrets/smtp_url' },
      secrets: ['smtp_url'],
    });
    expect(secrets).toEqual({ smtp_url: { file: './secrets/smtp_url' } });
    for (const { environment = {} } of Object.values(services))
      for (const variable of Object.keys(environment)) expect(VARIABLES.has(variable), variable).toBe(true);
  });
});

describe('docker/compose.oidc.yaml', () => {
  it('passes every variable of the provider', () => {
    const { environment = {} } = readCompose('compose.oidc.yaml').services['api']!;
    const names = Object.values<Descriptor<unknown>>(OIDC_DESCRIPTORS).map(({ name, isSecret }) =>
      isSecret === true ? `${name}_FILE` : name,
    );
    expect(Object.keys(environment).toSorted()).toEqual(names.toSorted());
  });

  it('gives the provider and the client secret to the api only', () => {
    const { services, secrets } = readCompose('compose.oidc.yaml');
    expect(Object.keys(services)).toEqual(['api']);
    const { environment = {}, secrets: mounted } = services['api']!;
    expect(environment['OIDC_CLIENT_SECRET_FILE']).toBe('/run/secrets/oidc_client_secret');
    expect(mounted).toEqual(['oidc_client_secret']);
    expect(secrets).toEqual({ oidc_client_secret: { file: './secrets/oidc_client_secret' } });
    for (const variable of Object.keys(environment)) expect(VARIABLES.has(variable), variable).toBe(true);
  });
});

describe('the images of npm run images -- compose', () => {
  const images = imagesOf(['compose.yaml', 'compose.s3.yaml'].map((name) => join(DOCKER, name)));

  it('have names of their own, so that those of the user stay', () => {
    const loaded = new Set([...images.values()].filter((image) => !image.startsWith('redis:')));
    const { services } = parse(overrideOf(images, loaded)) as ComposeFile;
    expect(services).toEqual({
      migrate: { image: 'ies-check/image-enhancement/api:latest' },
      api: { image: 'ies-check/image-enhancement/api:latest' },
      worker: { image: 'ies-check/image-enhancement/worker:latest' },
      dispatcher: { image: 'ies-check/image-enhancement/dispatcher:latest' },
      postgres: { image: checkNameOf(images.get('postgres')!) },
      s3: { image: checkNameOf(images.get('s3')!) },
    });
    expect(checkNameOf('postgres:17-bookworm')).toBe('ies-check/postgres:17-bookworm');
  });
});

describe('docker/secrets.sh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ies-secrets-'));
  const made = join(folder, 'secrets');
  afterAll(() => rmSync(folder, { recursive: true }));

  /** @returns each secret by its name */
  function run(): Readonly<Record<string, string>> {
    const { status, stdout, stderr } = spawnSync(join(folder, 'secrets.sh'), { encoding: 'utf8', cwd: '/' });
    expect(status, stderr).toBe(0);
    expect(`${stdout}${stderr}`).toBe('');
    return Object.fromEntries(
      readdirSync(made).map((name) => [name, readFileSync(join(made, name), 'utf8')]),
    );
  }

  it('creates exactly the secrets of the Compose files, in a folder that only its owner can read', () => {
    copyFileSync(join(DOCKER, 'secrets.sh'), join(folder, 'secrets.sh'));
    const named = COMPOSE_FILES.flatMap((name) => Object.entries(readCompose(name).secrets ?? {}));
    for (const [secret, { file }] of named) expect(file).toBe(`./secrets/${secret}`);
    const secrets = run();
    expect(Object.keys(secrets).toSorted()).toEqual([...new Set(named.map(([name]) => name))].toSorted());
    expect(statSync(made).mode & 0o777).toBe(0o700);
    // Each container reads them as a different user.
    for (const name of Object.keys(secrets)) expect(statSync(join(made, name)).mode & 0o777).toBe(0o444);
    for (const name of ['sealing_key', 'url_signing_key', 'metrics_token', 'grafana_password'])
      expect(secrets[name], name).toMatch(/^[0-9a-f]{64}\n$/);
    expect(secrets['database_url']).toBe(
      `postgres://ies:${secrets['postgres_password']!.trim()}@postgres:5432/ies\n`,
    );
    expect(new Set(Object.values(secrets)).size).toBe(Object.keys(secrets).length);
  });

  it('keeps existing secrets, and creates missing or empty ones', () => {
    const before = run();
    rmSync(join(made, 's3_credentials'));
    rmSync(join(made, 'metrics_token'));
    spawnSync('touch', [join(made, 'metrics_token')]);
    const { s3_credentials: credentials, metrics_token: token, ...kept } = run();
    expect(before).toMatchObject(kept);
    expect(Object.keys(kept)).toHaveLength(Object.keys(before).length - 2);
    expect(credentials).toMatch(
      /^\[default\]\naws_access_key_id = \w{20}\naws_secret_access_key = \w{64}\n$/,
    );
    expect(token).toMatch(/^[0-9a-f]{64}\n$/);
  });
});

const why = hasComposeReader ? '' : ` (skipped: ${COMPOSE_READER} is missing)`;

describe.skipIf(!hasComposeReader)(`the Docker Compose parser${why}`, () => {
  const read = (...files: readonly string[]) =>
    spawnSync(COMPOSE_READER, [...files], { cwd: DOCKER, encoding: 'utf8' });

  it.each([
    { files: ['compose.yaml'], services: 6 },
    { files: ['compose.yaml', 'compose.gpu.yaml'], services: 6 },
    { files: ['compose.yaml', 'compose.s3.yaml'], services: 7 },
    { files: ['compose.yaml', 'compose.observability.yaml'], services: 9 },
    { files: COMPOSE_FILES, services: 10 },
  ])('accepts $files', ({ files, services }) => {
    const { status, stdout, stderr } = read(...files);
    expect(status, stderr).toBe(0);
    const merged = parse(stdout) as { readonly services: Readonly<Record<string, unknown>> };
    expect(Object.keys(merged.services)).toHaveLength(services);
  });

  it('resolves the PUBLIC_URL of the default port', () => {
    const { services } = parse(read('compose.yaml').stdout) as ComposeFile;
    for (const role of ['api', 'worker', 'dispatcher'])
      expect(services[role]!.environment!['PUBLIC_URL'], role).toBe('http://localhost:3000');
  });

  it('rejects a misspelled setting', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ies-compose-'));
    const text = readFileSync(join(DOCKER, 'compose.yaml'), 'utf8');
    writeFileSync(join(folder, 'wrong.yaml'), text.replace('restart:', 'restrat:'));
    const { status, stderr } = read(join(folder, 'wrong.yaml'));
    rmSync(folder, { recursive: true });
    expect(status).not.toBe(0);
    expect(stderr).toContain('restrat');
  });
});

describe('docker/Dockerfile', () => {
  it('starts programs that exist', () => {
    const commands = [...dockerfile.matchAll(/^CMD \["node", "dist\/([\w.]+)\.js"\]$/gm)];
    expect(commands).toHaveLength(5);
    for (const [, program] of commands) expect(existsSync(join(ROOT, 'src', `${program}.ts`))).toBe(true);
  });
});
