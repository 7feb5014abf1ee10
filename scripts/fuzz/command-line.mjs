const TARGET_NAMES = ['probe', 'decode', 'manifest', 'onnx', 'json', 'multipart', 'headers', 'schema'];

export const DESCRIPTION = `Mutates files and requests, and feeds them to everything that reads what strangers send. A target fails when its process ends, a case exceeds its deadline, the API answers 5xx, or anything other than a documented refusal is thrown. The input is then written to out/fuzz, and the exit code is 1; 2: wrong arguments. The target "schema" runs Schemathesis (from PyPI) against /openapi.json; it is skipped where Python cannot install it.`;

/** Adds the options of `npm run fuzz`. */
export function declareOptions(program, { numberOption, repeatedOption, wordOption }) {
  program
    .option('--minutes <m>', 'time for all targets together', numberOption('--minutes', { above: 0 }), 5)
    .option(
      '--cases <n>',
      'the most cases of each target, so that a run can be repeated exactly (default: no limit)',
      numberOption('--cases', { above: 0 }),
    )
    .option(
      '--seed <n>',
      'whole number that selects the mutations (default: the time)',
      numberOption('--seed', { whole: true }),
    )
    .option(
      '--target <name>',
      `only this target; may be given several times: ${TARGET_NAMES.join(', ')}`,
      repeatedOption(wordOption('--target', TARGET_NAMES)),
    );
}

/** @returns the options in the form that `runFuzz` takes */
export function fuzzOptions({
  minutes,
  cases = Infinity,
  seed = Date.now() % 2 ** 31,
  target = TARGET_NAMES,
}) {
  return { minutes, cases, seed, targets: target };
}
