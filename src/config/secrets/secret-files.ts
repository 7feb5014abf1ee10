import { readFileSync } from 'node:fs';
import type { Descriptor } from '../variables/descriptor.js';

/** The variable that names a file containing a secret, as Docker and Kubernetes mount secrets. */
export function fileVariable(name: string): string {
  return `${name}_FILE`;
}

/**
 * The value of a variable: its own, or for a secret the content of the file that `<name>_FILE` names, without a
 * trailing line break.
 * @throws Error whose message completes "NAME …" and never contains a secret
 */
export function rawValue(
  { name, isSecret }: Pick<Descriptor<unknown>, 'name' | 'isSecret'>,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const own = env[name];
  const path = isSecret === true ? env[fileVariable(name)] : undefined;
  if (isEmptyValue(path)) return own;
  if (!isEmptyValue(own)) throw new Error(`and ${fileVariable(name)} are both set; set one of them`);
  const value = contentOf(name, path).replace(/[\r\n]+$/, '');
  if (isEmptyValue(value)) throw new Error(`is empty in the file of ${fileVariable(name)} (${path})`);
  return value;
}

/** Compose files pass an unset variable as an empty one. */
export function isEmptyValue(value: string | undefined): value is undefined | '' {
  return value === undefined || value.trim() === '';
}

function contentOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new Error(`cannot be read from the file that ${fileVariable(name)} names (${path}: ${reason})`, {
      cause: error,
    });
  }
}
