import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { flowEnvironment } from '../roles/flow-environment.js';

export interface CommandOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The JSON in the last line of stdout, if there is any. */
  readonly json: unknown;
}

const PROGRAM = 'dist/tools/main.models.js';

/** Runs the compiled `npm run models -- …` on the test's own models folder. Needs a build. */
export async function runModelsCommand(
  args: readonly string[],
  modelsDir: string,
  variables: Readonly<Record<string, string>> = {},
  onStart: (child: ChildProcess) => void = () => undefined,
): Promise<CommandOutcome> {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing; run "npm run build" first.`);
  const child = spawn(process.execPath, [PROGRAM, ...args], {
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

/** Whether `script` of util-linux is there. Programs of this name on other systems have other options. */
export const hasTerminal = spawnSync('script', ['--version']).status === 0;

/**
 * Runs it in a terminal, which `script` of util-linux provides.
 * @param keys typed when the terminal shows the prompt
 */
export async function typeIntoModelsCommand(
  args: readonly string[],
  modelsDir: string,
  prompt: string,
  keys: string,
): Promise<{ readonly code: number | null; readonly text: string }> {
  const command = [process.execPath, PROGRAM, ...args].map((part) => `'${part}'`).join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', `exec ${command}`, '/dev/null'], {
    env: flowEnvironment({ MODELS_DIR: modelsDir, INFERENCE_DEVICE: 'cpu', TERM: 'xterm' }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    const isShown = text.includes(prompt);
    text += part;
    if (!isShown && text.includes(prompt)) child.stdin.write(keys);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, text };
}

function parsed(stdout: string): unknown {
  try {
    return JSON.parse(stdout.trim().split('\n').at(-1)!) as unknown;
  } catch {
    return undefined;
  }
}
