import { join, resolve } from 'node:path';
import type { ModelVersion } from '../../models/repository/model-version.js';
import { InvalidVersion, readVersion } from '../../models/repository/read-version.js';
import { UsageError } from '../command-line.mjs';
import { ModelsError } from './models-command.js';
import { requireVersion } from './version-folders.js';

/** A version in the notation of users: `upscale@2`. */
export interface VersionName {
  readonly operation: string;
  readonly version: string;
}

const NAME = /^([a-z][a-z0-9_]*)@([1-9]\d{0,8})$/;

/** @throws UsageError */
export function versionName(text: string): VersionName {
  const [, operation, version] = NAME.exec(text) ?? [];
  if (operation !== undefined && version !== undefined) return { operation, version };
  throw new UsageError(`A version is named as upscale@1, not "${text}".`);
}

export function versionText({ operation, version }: VersionName): string {
  return `${operation}@${version}`;
}

/** Reads a version, even one that does not serve. @throws ModelsError */
export async function openVersion(modelsDir: string, name: VersionName): Promise<ModelVersion> {
  const folder = resolve(join(modelsDir, name.operation, name.version));
  await requireVersion(folder);
  return readVersion(folder).catch((error: unknown) => {
    if (!(error instanceof InvalidVersion)) throw error;
    throw new ModelsError(`${versionText(name)} cannot be used: ${error.message}.`);
  });
}
