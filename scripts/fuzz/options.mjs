import { parseArgs } from 'node:util';
import { SetupError } from '../lib/setup-error.mjs';

export const TARGET_NAMES = ['probe', 'decode', 'manifest', 'onnx', 'json', 'multipart', 'headers', 'schema'];

export const USAGE = `Usage: npm run fuzz -- [--minutes M] [--cases N] [--seed N] [--target NAME]…

  --minutes M     time for all targets together (default 5)
  --cases N       most cases of each target, so that a run can be repeated exactly (default: no limit)
  --seed N        whole number that names the mutations (default: the time)
  --target NAME   only this one; may be given several times:
                  ${TARGET_NAMES.join(', ')}
  --help          show this text

A target fails when its process ends, a case takes longer than its deadline, the API answers 5xx, or something
else than a documented refusal is thrown. The input is then written to out/fuzz, and the exit code is 1.
"schema" runs Schemathesis (from PyPI) against /openapi.json; it is skipped where Python cannot install it.`;

/** @returns the options, or undefined when help is asked for. @throws SetupError that says what is wrong */
export function readOptions(args) {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        minutes: { type: 'string', default: '5' },
        cases: { type: 'string', default: 'Infinity' },
        seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
        target: { type: 'string', multiple: true, default: TARGET_NAMES },
        help: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    throw new SetupError(`${error.message}\n${USAGE}`);
  }
  if (values.help) return undefined;
  const [minutes, cases, seed] = [values.minutes, values.cases, values.seed].map(Number);
  if (!(minutes > 0)) throw new SetupError(`--minutes must be a number above 0, not "${values.minutes}".`);
  if (!(cases > 0)) throw new SetupError(`--cases must be a number above 0, not "${values.cases}".`);
  if (!Number.isSafeInteger(seed))
    throw new SetupError(`--seed must be a whole number, not "${values.seed}".`);
  const unknown = values.target.find((name) => !TARGET_NAMES.includes(name));
  if (unknown !== undefined)
    throw new SetupError(`There is no target "${unknown}"; there are ${TARGET_NAMES.join(', ')}.`);
  return { minutes, cases, seed, targets: values.target };
}
