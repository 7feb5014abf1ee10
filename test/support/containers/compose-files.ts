import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
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
