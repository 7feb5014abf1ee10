import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { flowEnvironment } from '../roles/flow-environment.js';

export interface CommandOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The JSON in the last line of stdout, if there is any. */
  readonly json: unknown;
}

/** Runs the compiled `npm run models -- …` on the test's own models folder. Needs a build. */
export async function runModelsCommand(
  args: readonly string[],
  modelsDir: string,
  variables: Readonly<Record<string, string>> = {},
  onStart: (child: ChildProcess) => void = () => undefined,
): Promise<CommandOutcome> {
  const program = 'dist/tools/main.models.js';
  if (!existsSync(program)) throw new Error(`${program} is missing; run "npm run build" first.`);
  const child = spawn(process.execPath, [program, ...args], {
    env: flowEnvironment({ MODELS_DIR: modelsDir, INFERENCE_DEVICE: 'cpu', ...variables }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onStart(child);
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr, json: parsed(stdout) };
}

function parsed(stdout: string): unknown {
  try {
    return JSON.parse(stdout.trim().split('\n').at(-1)!) as unknown;
  } catch {
    return undefined;
  }
}
