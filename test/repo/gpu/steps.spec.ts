import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gpuSteps } from '../../../scripts/gpu/gpu-steps.mjs';
import { gpuQuery } from '../../../scripts/gpu/gpu-watch.mjs';
import { measuredVersion } from '../../../scripts/gpu/measured-version.mjs';
import { Results } from '../../../scripts/gpu/results.mjs';
import { runProgram } from '../../../scripts/gpu/run-program.mjs';
import { ROOT } from '../../../scripts/lib/paths.mjs';

/** A process whose parent has ended may remain as a zombie. */
function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return false;
  }
}

describe('the steps on a GPU machine', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ies-steps-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are the same in a dry run, but on other devices', () => {
    const names = gpuSteps({ isDryRun: false }).map(({ name }) => name);
    expect(gpuSteps({ isDryRun: true }).map(({ name }) => name)).toEqual(names);
    const commands = gpuSteps({ isDryRun: true }).flatMap(({ command }) => command);
    expect(commands).not.toContain('cuda');
    const page = readFileSync(join(ROOT, 'docs/gpu.md'), 'utf8');
    expect([...page.matchAll(/^\| `([\w-]+)` /gm)].map(([, name]) => name)).toEqual(names);
  });

  it('show in each run what the machine has', () => {
    const repeated = gpuSteps({ isDryRun: false }).filter(({ isRepeated }) => isRepeated === true);
    expect(repeated.map(({ name }) => name)).toEqual(['machine', 'providers']);
  });

  it('watch only the first GPU that CUDA uses', () => {
    expect(gpuQuery()[0]).toBe('--id=0');
    expect(gpuQuery('')[0]).toBe('--id=0');
    expect(gpuQuery('3,1')[0]).toBe('--id=3');
    expect(gpuQuery('GPU-4af5')[0]).toBe('--id=GPU-4af5');
  });

  describe('the results', () => {
    it('of an earlier build are measured again', () => {
      const resultsOf = (build: string) => new Results(join(folder, 'results.json'), undefined, build);
      resultsOf('1').put({ name: 'swap', ok: true });
      expect(resultsOf('1').hasSucceeded('swap')).toBe(true);
      expect(resultsOf('2').hasSucceeded('swap')).toBe(false);
      resultsOf('2').put({ name: 'swap', ok: false });
      expect(resultsOf('2').hasSucceeded('swap')).toBe(false);
    });

    it('are also copied by a run that has nothing left to do', () => {
      const path = join(folder, 'done.json');
      const out = join(folder, 'out');
      new Results(path, out, '1').copyOut();
      expect(existsSync(out)).toBe(false);
      new Results(path, undefined, '1').put({ name: 'swap', ok: true });
      new Results(path, out, '1').copyOut();
      expect(readFileSync(join(out, 'results.json'), 'utf8')).toBe(readFileSync(path, 'utf8'));
    });

    it('belong to a build, an unpacked kit, models and scripts', () => {
      const root = join(folder, 'checkout');
      const versionWith = (path: string) => {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), 'new');
        return measuredVersion(root);
      };
      const versions = [
        'dist/.stamp',
        'node_modules/.gpu-kit/service.unpacked',
        'node_modules/.gpu-kit/cuda.unpacked',
        'models/upscale/1/manifest.json',
        'scripts/bench/gpu/row.mjs',
        'scripts/gpu/torch_peer.py',
      ].map(versionWith);
      expect(new Set(versions).size).toBe(versions.length);
      expect(versionWith('models/upscale/1/README.md')).toBe(versions.at(-1));
      expect(measuredVersion(ROOT)).toMatch(/^[0-9a-f]{64}$/);
    });
  });

  describe('the program of a step', () => {
    const print = (text: string) => runProgram([process.execPath, '-e', text], { limitMs: 20_000 });
    const printJson = (value: unknown) => print(`console.log(${JSON.stringify(JSON.stringify(value))})`);

    it('ends with its child processes at the time limit', async () => {
      const outcome = await runProgram(['sh', '-c', 'sleep 60 & echo $!; wait'], { limitMs: 300 });
      expect(outcome).toMatchObject({ ok: false, fault: 'did not end within 0 s' });
      const started = Number(outcome.log.trim());
      expect(started).toBeGreaterThan(0);
      expect(isRunning(started)).toBe(false);
    });

    it('has its last line as the result, or the reason why there is none', async () => {
      expect(await print('console.log("loading"); console.log(JSON.stringify({ a: 1 }))')).toMatchObject({
        ok: true,
        result: { a: 1 },
      });
      expect(await print('console.error("no driver"); process.exit(4)')).toMatchObject({
        ok: false,
        fault: 'ended by exit code 4',
        log: 'no driver\n',
      });
      expect(await print('console.log("done")')).toMatchObject({ ok: false, fault: 'printed no JSON' });
      expect(await runProgram(['no-such-program'], { limitMs: 1_000 })).toMatchObject({ ok: false });
    });

    it('has not succeeded if it measured nothing or not everything, but keeps what it measured', async () => {
      const skipped = { skipped: 'there is no libcupti' };
      expect(await printJson(skipped)).toMatchObject({
        ok: false,
        result: skipped,
        fault: 'skipped: there is no libcupti',
      });
      const rows = [{ ms: 1 }, { fault: 'out of memory' }, { fault: 'device lost' }];
      expect(await printJson(rows)).toMatchObject({
        ok: false,
        result: rows,
        fault: '2 of 3 rows failed, the first: out of memory',
      });
      expect(await printJson(rows.slice(0, 1))).toMatchObject({ ok: true });
    });

    it('has succeeded if it measured everything and missed a target', async () => {
      const program = (result: object) => ['sh', '-c', `echo '${JSON.stringify(result)}'; exit 1`];
      const missed = { seconds: { value: 3, isMet: false } };
      expect(await runProgram(program(missed), { limitMs: 10_000 })).toMatchObject({
        ok: true,
        result: missed,
      });
      const met = { seconds: { value: 1, isMet: true } };
      const outcome = await runProgram(program(met), { limitMs: 10_000 });
      expect(outcome).toMatchObject({ ok: false, fault: 'ended by exit code 1' });
    });

    it('keeps the rows before the time limit, even if the last line is incomplete', async () => {
      const program = 'echo "[1]"; echo "[1,2]"; printf "[1,2,"; sleep 60';
      const outcome = await runProgram(['sh', '-c', program], { limitMs: 2_000 });
      expect(outcome).toMatchObject({ ok: false, fault: 'did not end within 2 s', result: [1, 2] });
    });

    it.each([
      ['when it ends', '', true, 20_000],
      ['when it is ended', '; sleep 60', false, 2_000],
    ])('leaves no temporary files %s', async (_, then, ok, limitMs) => {
      const program = `mkdir "$TMPDIR/ies-bench"; echo "\\"$TMPDIR\\""${then}`;
      const outcome = await runProgram(['sh', '-c', program], { limitMs });
      expect(outcome).toMatchObject({ ok, result: expect.stringMatching(/ies-step-/) as string });
      expect(existsSync(String(outcome.result))).toBe(false);
    });
  });
});
