import { execFile, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';

const FOLDER = join(ROOT, 'scripts/training');
/** The environment that scripts/training/README.md creates. */
const PYTHON = join(ROOT, '.venv/bin/python');
const LOOK =
  'import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, ("onnx", "scipy", "torch"))))';
const isInstalled = spawnSync(PYTHON, ['-c', LOOK]).status === 0;
const why = isInstalled ? '' : ' (skipped: .venv lacks scripts/training/requirements.txt)';
const MODULES = readdirSync(join(FOLDER, 'tests')).flatMap(
  (name) => /^(test_\w+)\.py$/.exec(name)?.[1] ?? [],
);

/** They never write to the models of this checkout. */
describe.skipIf(!isInstalled)(`the training scripts${why}`, () => {
  it.each(MODULES)('%s', async (module) => {
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
    const { stderr } = await promisify(execFile)(PYTHON, ['-m', 'unittest', `tests.${module}`], {
      cwd: FOLDER,
      env,
    });
    expect(stderr).toMatch(/^Ran [1-9]\d* tests?[^]*\nOK\n$/m);
  });
});
