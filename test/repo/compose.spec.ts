import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { DESCRIPTORS } from '../../src/config/env.js';
import type { Descriptor } from '../../src/config/variables/descriptor.js';

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string; readonly target: string };
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
}
interface Compose {
  readonly services: Readonly<Record<string, Partial<Service>>>;
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>;
}

// The YAML reader of a package that we have; Compose itself needs no Docker to be read.
const require = createRequire(createRequire(import.meta.url).resolve('@nestjs/swagger'));
const { load } = require('js-yaml') as { load: (text: string) => unknown };

const docker = (name: string): string => readFileSync(join(ROOT, 'docker', name), 'utf8');
const compose = (name: string): Compose => merged(load(docker(name))) as Compose;

/** Resolves `<<`, which readers of YAML 1.2 leave to the program. */
function merged(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(merged);
  if (typeof value !== 'object' || value === null) return value;
  const { '<<': base, ...own } = value as Record<string, unknown>;
  const entries = Object.entries({ ...(merged(base) as object | undefined), ...own });
  return Object.fromEntries(entries.map(([key, each]) => [key, merged(each)]));
}

const VARIABLES = new Set<string>(
  Object.values<Descriptor<unknown>>(DESCRIPTORS).flatMap(({ name, isSecret }) =>
    isSecret === true ? [name, `${name}_FILE`] : [name],
  ),
);
const TARGETS = [...docker('Dockerfile').matchAll(/^FROM .* AS (\S+)$/gm)].map(([, name]) => name!);
const OURS = /^image-enhancement\//;

describe.each(['compose.yaml', 'compose.gpu.yaml'])('docker/%s', (name) => {
  const { services, secrets } = compose(name);
  const own = Object.entries(services).filter(([, { image }]) => OURS.test(image ?? ''));

  it('names variables of the service only', () => {
    expect(own.length).toBeGreaterThan(0);
    for (const [service, { environment = {} }] of own)
      for (const variable of Object.keys(environment))
        expect(VARIABLES.has(variable), `${service}: ${variable}`).toBe(true);
  });

  it('names targets of the Dockerfile and images called like them', () => {
    for (const [, { build, image }] of own) {
      expect(TARGETS).toContain(build!.target);
      expect(image).toBe(`image-enhancement/${build!.target}`);
      expect(existsSync(join(ROOT, 'docker', build!.context, build!.dockerfile))).toBe(true);
    }
  });

  it('mounts each secret that a variable names, and holds none itself', () => {
    for (const [service, { environment = {}, secrets: mounted = [] }] of own) {
      const files = Object.entries(environment).filter(([variable]) => variable.endsWith('_FILE'));
      for (const [, path] of files) expect(mounted, service).toContain(path.replace('/run/secrets/', ''));
      for (const secret of mounted) expect(Object.keys(secrets ?? {})).toContain(secret);
      for (const variable of Object.keys(environment))
        if (VARIABLES.has(`${variable}_FILE`)) expect([service, variable]).toEqual([service, 'REDIS_URL']);
    }
  });
});

describe('docker/secrets.sh', () => {
  it('makes exactly the secrets of compose.yaml', () => {
    const made = [...docker('secrets.sh').matchAll(/^secret (\w+) /gm)].map(([, secret]) => secret!);
    const { secrets = {} } = compose('compose.yaml');
    expect(made.toSorted()).toEqual(Object.keys(secrets).toSorted());
    for (const [secret, { file }] of Object.entries(secrets)) expect(file).toBe(`./secrets/${secret}`);
  });
});

describe('docker/Dockerfile', () => {
  it('starts programs that exist', () => {
    const commands = [...docker('Dockerfile').matchAll(/^CMD \["node", "dist\/([\w.]+)\.js"\]$/gm)];
    expect(commands).toHaveLength(5);
    for (const [, program] of commands) expect(existsSync(join(ROOT, 'src', `${program}.ts`))).toBe(true);
  });
});
