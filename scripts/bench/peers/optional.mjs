import { existsSync } from 'node:fs';

/**
 * Starts an optional program.
 * @template T
 * @param {string[]} missing receives the name and the reason if the program is not installed or does not start
 * @param {string} name
 * @param {string} path a file that `npm run peers:setup` installs
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
