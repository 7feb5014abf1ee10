import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const TARGETS = ['probe', 'decode', 'manifest', 'onnx', 'json', 'multipart', 'headers'];

async function fuzz(...args: string[]): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, [join(ROOT, 'scripts', 'fuzz.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const code = await new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  return { code, text };
}

/** Every run has the same hundred cases per target: they show that fuzzing works and that nothing broke recently. */
describe('npm run fuzz', () => {
  it('finds nothing with this seed, and every target accepts some of its seeds', async () => {
    const targets = TARGETS.flatMap((name) => ['--target', name]);
    const { code, text } = await fuzz('--minutes', '2', '--cases', '100', '--seed', '18', ...targets);
    expect(text).toContain('0 findings with seed 18');
    expect(code).toBe(0);
    for (const name of TARGETS) {
      const [, cases, accepted] = new RegExp(`^${name}: (\\d+) cases, (\\d+) accepted`, 'm').exec(text) ?? [];
      expect(Number(cases), name).toBeGreaterThan(3);
      // Every JSON body refers to something that does not exist.
      if (name !== 'json') expect(Number(accepted), name).toBeGreaterThan(0);
    }
  });

  it.each([
    [['--minutes', '0'], '--minutes must be a number above 0, not "0".'],
    [['--cases', '0'], '--cases must be a number above 0, not "0".'],
    [['--seed', 'x'], '--seed must be a whole number, not "x".'],
    [['--target', 'nothing'], '--target cannot be "nothing"; it may be probe, decode'],
    [['--what'], "Unknown option '--what'"],
  ])('refuses %j with a clear message', async (args, sentence) => {
    const { code, text } = await fuzz(...args);
    expect(code).toBe(2);
    expect(text).toContain(sentence);
  });
});
