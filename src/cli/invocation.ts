import { isAbsolute, relative } from 'node:path';

/**
 * What a user types to run a program: an npm script, or in an installation without npm the built file itself.
 * @param script of package.json, such as `admin`
 * @param program path of the file that Node.js was started with
 */
export function invocationOf(script: string, program: string | undefined = process.argv[1]): string {
  if (program?.endsWith(`main.${script}.js`) !== true) return `npm run ${script} --`;
  const path = relative(process.cwd(), program);
  return `node ${path.startsWith('..') || isAbsolute(path) ? program : path}`;
}
