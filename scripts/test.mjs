// `npm test`: every check, and every spec but the extended ones; `npm test -- test/http`: only those specs. The last line
// has the counts.
import { join } from 'node:path';
import { packageBin, runCheck } from './lib/check.mjs';
import { NODE_MODULES, ROOT } from './lib/paths.mjs';
import { runScript } from './lib/run-script.mjs';
import { setup, setupPackages } from './lib/setup.mjs';
import { makeMemoryDir, removeMemoryDir } from './lib/vitest/memory-dir.mjs';
import { runVitest, runVitestWithRerun } from './lib/vitest/run-vitest.mjs';
import { ensurePrograms } from './lib/vitest/spec-programs.mjs';
import { REPORT_ALL_FILES } from './lib/vitest/spec-times.mjs';

/** What checks remember of files that have not changed. */
const CACHE = join(NODE_MODULES, '.cache');

const types = (name, project) => [
  name,
  [
    packageBin('typescript-7', 'bin', 'tsc'),
    '--noEmit',
    '--incremental',
    '--tsBuildInfoFile',
    join(CACHE, 'tsc', `${name.replaceAll(' ', '-')}.tsbuildinfo`),
    '-p',
    project,
  ],
];

const CHECKS = [
  ['lint', [packageBin('oxlint', 'bin', 'oxlint'), '--type-aware']],
  ['format', [packageBin('oxfmt', 'bin', 'oxfmt'), '--check']],
  types('types', 'tsconfig.json'),
  types('types of tests', 'tsconfig.test.json'),
  types('types of the dashboard', 'web/tsconfig.json'),
  types('types of the JavaScript client', 'clients/js'),
  [
    'import rules',
    [
      packageBin('dependency-cruiser', 'bin', 'dependency-cruise.mjs'),
      '--config',
      '.dependency-cruiser.cjs',
      'src',
      'tools',
    ],
  ],
  ['documents', [join(ROOT, 'scripts', 'docs-sync.mjs'), '--check']],
];

/** The projects of vitest that `npm test` runs. */
const USUAL_PROJECTS = ['unit', 'http', 'system', 'browser'];
const PROJECTS = [...USUAL_PROJECTS, 'extended'];

/** One after the other, beside the specs: together they keep two cores busy. */
async function runChecks() {
  let failed = 0;
  for (const [name, command] of CHECKS) failed += (await runCheck(name, command)) ? 0 : 1;
  return { passed: CHECKS.length - failed, failed, skipped: 0 };
}

await runScript({
  invocation: 'npm test --',
  description:
    'Runs every check, and every spec but those of the project "extended", or the chosen specs. The last line is "N passed, N failed[, N skipped]". Exit code 1: something failed; 2: wrong arguments.',
  declare: (program, { repeatedOption, wordOption }) =>
    program
      .argument('[paths...]', 'only the spec files whose path contains one of these texts')
      .option(
        '--project <name>',
        `only this project; may be given several times: ${PROJECTS.join(', ')}`,
        repeatedOption(wordOption('--project', PROJECTS)),
      )
      .option('-t, --testNamePattern <pattern>', 'only the tests whose name matches')
      .option('-u, --update', 'write new snapshots')
      .option('--cpu', 'print the CPU time of every spec file and of the whole run'),
  main: async (options, [paths]) => {
    // The reporter runs in the process of vitest.
    if (options.cpu) process.env[REPORT_ALL_FILES] = '1';
    const { failed } = await inMemory(() => runTests(vitestArguments(options, paths)));
    process.exit(failed > 0 ? 1 : 0);
  },
});

function vitestArguments({ project = [], testNamePattern, update }, paths) {
  return [
    ...project.map((name) => `--project=${name}`),
    ...(testNamePattern === undefined ? [] : [`--testNamePattern=${testNamePattern}`]),
    ...(update ? ['--update'] : []),
    ...paths,
  ];
}

/** Runs the work with temporary files in memory, if there is room. */
async function inMemory(work) {
  const dir = makeMemoryDir();
  if (dir === undefined) return work();
  process.env.TMPDIR = dir;
  try {
    return await work();
  } finally {
    removeMemoryDir(dir);
  }
}

function runUsual() {
  return runVitestWithRerun(USUAL_PROJECTS.map((name) => `--project=${name}`));
}

async function runTests(args) {
  const isComplete = args.length === 0;
  // vitest's projects know what chosen specs need: those of `unit` need no dist.
  await (isComplete ? setup() : setupPackages());
  // The first check already runs while programs are installed.
  const checks = isComplete ? [runChecks()] : [];
  const missing = ensurePrograms(args);
  const parts = await Promise.all([isComplete ? runUsual() : runVitest(args), ...checks]);
  const sum = (kind) => [missing, ...parts].reduce((total, part) => total + part[kind], 0);
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(sum);
  if (isComplete) process.stdout.write('The extended specs did not run: npm run test:extended\n');
  process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  return { failed };
}
