import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The absolute paths of the files and folders of a Node.js program: Node.js, the folder of its entry point, the
 * packages, and the `package.json` that determines its module format.
 * @param entry absolute path of the compiled entry point
 */
export function codeOf(entry: string): readonly string[] {
  const folder = dirname(entry);
  const around = [process.execPath, folder];
  for (let dir = dirname(folder); ; dir = dirname(dir)) {
    around.push(...['package.json', 'node_modules'].map((name) => join(dir, name)).filter(existsSync));
    if (existsSync(join(dir, 'node_modules')) || dir === dirname(dir)) return around;
  }
}
