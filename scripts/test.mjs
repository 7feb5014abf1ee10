// `npm test`: every check; `npm test -- test/http`: only those specs. The last line counts.
import { join } from 'node:path';
import { packageBin, runCheck } from './lib/check.mjs';
import { ROOT } from './lib/paths.mjs';
import { runMain, SetupError } from './lib/setup-error.mjs';
import { setup } from './lib/setup.mjs';
import { ensureSystemPackages } from './lib/system-packages.mjs';
import { runVitest } from './lib/vitest.mjs';

const CHECKS = [
  ['lint', [packageBin('oxlint', 'bin', 'oxlint'), '--type-aware']],
  ['format', [packageBin('prettier', 'bin', 'prettier.cjs'), '--check', '--log-level=warn', '.']],
  ['types', [packageBin('typescript', 'bin', 'tsc'), '--noEmit', '-p', 'tsconfig.json']],
  ['types of tests', [packageBin('typescript', 'bin', 'tsc'), '-p', 'tsconfig.test.json']],
  ['types of the dashboard', [packageBin('typescript', 'bin', 'tsc'), '-p', 'web/tsconfig.json']],
  [
    'types of the JavaScript client',
    [packageBin('typescript', 'bin', 'tsc'), '--noEmit', '-p', 'clients/js'],
  ],
  [
    'import rules',
    [
      packageBin('dependency-cruiser', 'bin', 'dependency-cruise.mjs'),
      '--config',
      '.dependency-cruiser.cjs',
      'src',
    ],
  ],
  ['documents', [join(ROOT, 'scripts', 'docs-sync.mjs'), '--check']],
];

/** What the specs of some folders need and npm does not bring. */
const PROGRAMS = [
  { folder: 'browser', binary: 'chromium', package: 'chromium' },
  { folder: 'flows', binary: 'redis-server', package: 'redis-server' },
  { folder: 'clients', binary: 'python3', package: 'python3' },
  { folder: 'clients', binary: 'mypy', package: 'mypy' },
];

/** A missing program counts as one failure; the specs that do without it still run. */
function ensurePrograms(args) {
  const isWanted = ({ folder }) => args.length === 0 || args.some((arg) => arg.includes(folder));
  try {
    ensureSystemPackages(PROGRAMS.filter(isWanted));
    return true;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stdout.write(`✗ ${error.message}\n`);
    return false;
  }
}

await runMain(async () => {
  await setup();
  const args = process.argv.slice(2);
  const total = { passed: 0, failed: 0, skipped: 0 };
  if (args.length === 0) {
    for (const [name, command] of CHECKS) {
      total[(await runCheck(name, command)) ? 'passed' : 'failed'] += 1;
    }
  }
  if (!ensurePrograms(args)) total.failed += 1;
  const specs = await runVitest(args);
  for (const kind of Object.keys(total)) total[kind] += specs[kind];
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  process.stdout.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`);
  process.exit(total.failed > 0 ? 1 : 0);
});
