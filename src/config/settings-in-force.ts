import { DESCRIPTORS } from './env.js';
import { fileVariable, isEmptyValue, rawValue } from './secrets/secret-files.js';
import type { Descriptor } from './variables/descriptor.js';

/**
 * Where a value comes from. `default`: the variable is not set. `environment`: the variable. `file`: the file that
 * `<name>_FILE` names. `supervisor`: `npm start` set the variable for this process.
 */
export const SETTING_SOURCES = ['default', 'environment', 'file', 'supervisor'] as const;
export type SettingSource = (typeof SETTING_SOURCES)[number];

/** One setting as a process uses it. */
export interface Setting {
  /** The environment variable. */
  readonly name: string;
  /** The value as written, or a description of the default; null for a secret. Passwords in URLs are removed. */
  readonly value: string | null;
  readonly source: SettingSource;
  readonly isSecret: boolean;
}

/** Names the variables that the supervisor added to the environment of a role, separated by commas. */
const ADDED = 'IES_ADDED_VARIABLES';

const ALL: readonly Descriptor<unknown>[] = Object.values(DESCRIPTORS);

/** A user name and password in a URL. */
const CREDENTIALS = /(:\/\/)[^/\s]+@/g;

/** The settings of this process in the order of docs/configuration.md, as `readConfig` reads them. */
export function settingsInForce(env: NodeJS.ProcessEnv = process.env): Setting[] {
  const added = new Set(env[ADDED]?.split(','));
  return ALL.map((descriptor) => {
    const { name } = descriptor;
    const isSecret = descriptor.isSecret === true;
    const source = sourceOf(name, env, added);
    return { name, value: isSecret ? null : valueOf(descriptor, env), source, isSecret };
  });
}

/** The values of all secrets of this process, for redacting them in its output. */
export function secretValues(env: NodeJS.ProcessEnv = process.env): string[] {
  return ALL.filter(({ isSecret }) => isSecret === true).flatMap((descriptor) => {
    const raw = rawValue(descriptor, env);
    return isEmptyValue(raw) ? [] : [raw].concat(raw.split(',').map((part) => part.trim()));
  });
}

/** Records the variables that a parent process adds because the environment lacks them. */
export function withAddedNames(
  variables: Readonly<Record<string, string | undefined>>,
  env: NodeJS.ProcessEnv = process.env,
): Readonly<Record<string, string | undefined>> {
  const isAdded = (name: string): boolean => isEmptyValue(env[name]) && isEmptyValue(env[fileVariable(name)]);
  const names = Object.keys(variables).filter((name) => variables[name] !== undefined && isAdded(name));
  return { ...variables, [ADDED]: names.join(',') };
}

function sourceOf(name: string, env: NodeJS.ProcessEnv, added: ReadonlySet<string>): SettingSource {
  if (added.has(name)) return 'supervisor';
  if (!isEmptyValue(env[name])) return 'environment';
  return isEmptyValue(env[fileVariable(name)]) ? 'default' : 'file';
}

function valueOf({ name, defaultText }: Descriptor<unknown>, env: NodeJS.ProcessEnv): string {
  const raw = env[name];
  return isEmptyValue(raw) ? defaultText.replaceAll('`', '') : raw.trim().replaceAll(CREDENTIALS, '$1…@');
}
