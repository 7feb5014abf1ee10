import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { ROOT } from '../../../scripts/lib/paths.mjs';

export const DOCKER = join(ROOT, 'docker');
export const COMPOSE_FILES = [
  'compose.yaml',
  'compose.gpu.yaml',
  'compose.observability.yaml',
  'compose.s3.yaml',
] as const;

export interface ComposeService {
  readonly build?: { readonly context: string; readonly dockerfile: string; readonly target: string };
  readonly image?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly secrets?: readonly string[];
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>;
}

export function readCompose(name: string): ComposeFile {
  return parse(readFileSync(join(DOCKER, name), 'utf8'), { merge: true }) as ComposeFile;
}

/**
 * Docker Compose's own parser, which also merges files and checks them against the Compose Specification:
 * `GOBIN=~/.cache/compose-go/bin go install github.com/compose-spec/compose-go/v2/cmd@v2.16.2`
 */
export const COMPOSE_READER = join(homedir(), '.cache/compose-go/bin/cmd');
export const hasComposeReader = existsSync(COMPOSE_READER);

/** A service after Compose has replaced the variables. */
export interface ResolvedService {
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly Readonly<Record<string, unknown>>[];
  readonly volumes?: readonly Readonly<Record<string, unknown>>[];
}

/**
 * The services of merged files in `docker`, or with absolute paths, with these variables set. The parser itself ignores variables of the environment, but
 * not those of an included project.
 */
export function resolveCompose(
  files: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Readonly<Record<string, ResolvedService>> {
  const folder = mkdtempSync(join(tmpdir(), 'ies-compose-'));
  try {
    const assignments = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(folder, 'variables.env'), assignments.join(''));
    const path = files.map((file) => resolve(DOCKER, file));
    const outer = { name: 'outer', include: [{ path, env_file: './variables.env' }] };
    writeFileSync(join(folder, 'compose.yaml'), stringify(outer));
    const options = { cwd: folder, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(COMPOSE_READER, ['compose.yaml'], options);
    if (status !== 0) throw new Error(stderr);
    const { services } = parse(stdout) as { readonly services: Readonly<Record<string, PrintedService>> };
    const resolved = Object.entries(services).map(([name, { environment = {}, ports, volumes }]) => [
      name,
      {
        environment: variablesOf(environment),
        ...(ports !== undefined && { ports }),
        ...(volumes !== undefined && { volumes }),
      },
    ]);
    return Object.fromEntries(resolved) as Readonly<Record<string, ResolvedService>>;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The parser prints variables from several files as a list. */
interface PrintedService extends Pick<ResolvedService, 'ports' | 'volumes'> {
  readonly environment?: Readonly<Record<string, string>> | readonly string[];
}

function variablesOf(printed: NonNullable<PrintedService['environment']>): Readonly<Record<string, string>> {
  if (!Array.isArray(printed)) return printed as Readonly<Record<string, string>>;
  return Object.fromEntries((printed as readonly string[]).map((text) => text.split(/=(.*)/s, 2)));
}
