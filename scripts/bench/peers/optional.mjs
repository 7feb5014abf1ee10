import { existsSync } from 'node:fs';

/**
 * Starts a program that need not be installed.
 * @template T
 * @param {string[]} missing gets the name and the reason when the program is not installed or does not start
 * @param {string} name
 * @param {string} path what `npm run peers:setup` installs
 * @param {() => Promise<T>} start
 * @returns {Promise<T | undefined>}
 */
export async function startIfInstalled(missing, name, path, start) {
  if (!existsSync(path)) {
    missing.push(`${name} (npm run peers:setup)`);
    return undefined;
  }
  try {
    return await start();
  } catch (error) {
    missing.push(`${name} (${error.message})`);
    return undefined;
  }
}
