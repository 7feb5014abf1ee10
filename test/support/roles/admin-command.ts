import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtProgram } from './flow-build.js';
import { flowEnvironment } from './flow-environment.js';

export interface AdminOutcome {
  readonly code: number;
  /** Both streams. */
  readonly output: string;
}

/** Runs the compiled `npm run admin -- … --json`. Needs a build. */
export async function runAdminCommand(
  variables: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<AdminOutcome> {
  const child = spawn(process.execPath, [builtProgram('main.admin.js'), ...words, '--json'], {
    env: flowEnvironment(variables),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}
