import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { ensureFlowBuild } from '../support/roles/flow-build.js';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/**
 * Every npm script that runs one of our programs: its name, its file, and the arguments that it adds. The steps of a
 * script, in `lib`, take none from users.
 */
const OURS = Object.entries(scripts).flatMap(([name, command]) => {
  const [, file, rest = ''] = /^(?:exec )?node scripts\/([^/\s]+\.mjs) ?(.*)$/.exec(command) ?? [];
  return file === undefined
    ? []
    : [{ name, command, file, added: rest.split(' ').filter((word) => word !== '') }];
});

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(file: string, args: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [join(ROOT, 'scripts', file), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}

describe('npm scripts', () => {
  // `admin`, `demo`, `doctor` and `models` run built code.
  beforeAll(ensureFlowBuild);

  it('cover all the programs in scripts', () => {
    const programs = readdirSync(join(ROOT, 'scripts')).filter((name) => name.endsWith('.mjs'));
    expect([...new Set(OURS.map(({ file }) => file))].toSorted()).toEqual(programs.toSorted());
  });

  it('replace the shell of npm, which gets the signals', () => {
    expect(OURS.filter(({ command }) => !command.startsWith('exec '))).toEqual([]);
  });

  it.each(OURS)('$name shows its usage', async ({ name, file, added }) => {
    const { code, stdout, stderr } = await run(file, [...added, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const typed = name.startsWith('test') ? 'npm test' : name === 'start' ? 'npm start' : `npm run ${name}`;
    expect(stdout).toMatch(new RegExp(`^Usage: ${typed} -- .+\\n\\n\\S`));
    expect(stdout).toContain('-h, --help');
  });

  it.each(OURS)('$name refuses an unknown option', async ({ file, added }) => {
    const { code, stdout, stderr } = await run(file, [...added, '--no-such-option']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Unknown option '--no-such-option'\nRun "npm .+ --help" to see the usage\.\n$/);
  });

  it('images --help describes each command by itself', async () => {
    const { stdout } = await run('images.mjs', ['--help']);
    expect(stdout).toContain('sizes: the same as build\n');
  });

  it.each([
    [
      'bench.mjs',
      ['latency', '--only', 'smooth-skin'],
      'No name contains the text of --only, "smooth-skin".',
    ],
    ['bench.mjs', ['memory', '--only', 'nothing'], 'No name contains the text of --only, "nothing".'],
    [
      'bench.mjs',
      ['gpu', '--operation', 'upscal'],
      '--operation cannot be "upscal"; it may be auto_enhance,',
    ],
    ['chaos.mjs', ['--faults', 'kill-redis'], 'These faults need --redis: kill-redis'],
  ])('%s %j would measure nothing and is refused', async (file, args, sentence) => {
    const { code, stdout, stderr } = await run(file, args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
  });
});
