import { FAKE_CLOCK_NEEDS } from '../../chaos/servers/fake-clock.mjs';
import { IMAGE_TOOLS, missingTools } from '../../images/tools.mjs';
import { trySystemPackages, WEBGPU_NEEDS } from '../system-packages.mjs';

/** Programs that the specs of some folders need and that npm does not install. */
const PROGRAMS = [
  { folder: 'browser', binary: 'chromium-headless-shell', package: 'chromium-headless-shell' },
  { folder: 'roles', binary: 'bwrap', package: 'bubblewrap' },
  { folder: 'flows', binary: 'redis-server', package: 'redis-server' },
  { folder: 'clients', binary: 'python3', package: 'python3' },
  { folder: 'clients', binary: 'mypy', package: 'mypy' },
];

/** Specs that use these say which program is missing, and are skipped. */
const OPTIONAL_PROGRAMS = [
  { folder: 'flows', binary: 'pgbouncer', package: 'pgbouncer', without: 'PgBouncer' },
  { folder: 'flows', binary: 'nginx', package: 'nginx-light', without: 'nginx' },
  { folder: 'flows', binary: 'openssl', package: 'openssl', without: 'TLS of PostgreSQL' },
  { folder: 'models', binary: 'script', package: 'bsdutils', without: 'a terminal' },
  { folder: 'repo', binary: 'promtool', package: 'prometheus', without: 'promtool' },
];

const inFolder = (folder, needs) => needs.map((need) => ({ ...need, folder }));

/** Everything above, and what some specs look for themselves. */
const ALL = [
  ...PROGRAMS,
  ...OPTIONAL_PROGRAMS,
  ...inFolder('chaos', FAKE_CLOCK_NEEDS),
  ...inFolder('images', IMAGE_TOOLS),
  ...inFolder('gpu', WEBGPU_NEEDS),
];

/**
 * Installs the programs of the chosen specs. A missing program counts as one failure, an optional one as skipped. The
 * specs that do not need it still run.
 * @param {readonly string[]} args of vitest; none for a complete run
 */
export function ensurePrograms(args) {
  const isWanted = ({ folder }) =>
    args.length === 0 ||
    args.some((arg) => ['--project=system', '--project=extended'].includes(arg) || arg.includes(folder));
  // apt-get reads the lists of packages at each call, so it gets everything at once. Where it then installs nothing,
  // because it does not know one of the packages, the calls below install the others.
  trySystemPackages(ALL.filter(isWanted));
  const missing = trySystemPackages(PROGRAMS.filter(isWanted));
  if (missing !== undefined) process.stdout.write(`✗ ${missing}\n`);
  // Without it the chaos run tries less.
  const optional = isWanted({ folder: 'chaos' }) ? trySystemPackages(FAKE_CLOCK_NEEDS) : undefined;
  if (optional !== undefined) process.stdout.write(`- Skipped: clock faults of the chaos run. ${optional}\n`);
  let skipped = optional === undefined ? 0 : 1;
  for (const program of OPTIONAL_PROGRAMS.filter(isWanted)) {
    const reason = trySystemPackages([program]);
    if (reason === undefined) continue;
    process.stdout.write(`- Skipped: specs with ${program.without}. ${reason}\n`);
    skipped += 1;
  }
  // Images need root and namespaces besides.
  const images = isWanted({ folder: 'images' }) ? missingTools() : undefined;
  if (images !== undefined) {
    process.stdout.write(`- Skipped: container images. ${images}\n`);
    skipped += 1;
  }
  return { passed: 0, failed: missing === undefined ? 0 : 1, skipped };
}
