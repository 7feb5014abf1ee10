import { availableParallelism } from 'node:os';
import swc from 'unplugin-swc';
import { defineConfig } from 'vitest/config';
import { CLIENT_ALIAS } from './web/vite.config.js';
import { lingui } from './scripts/lib/lingui.mjs';
import { LongestFirst } from './scripts/lib/vitest/longest-first.mjs';

/** Pure specs under `test`; everything else there starts the application, a role or a program. */
const UNIT = [
  'test/chaos/{checks,schedule}.spec.ts',
  'test/repo/{bench/{api-table,pipeline,verdict},checks/workflow,fuzz/*}.spec.ts',
  'test/repo/{dashboard-texts,device-threads,documents,long-specs,structure,weights}.spec.ts',
];

/** Specs beside the source that need dist, start processes or threads, load models, or compute for seconds. */
const SYSTEM = '{src,tools}/**/*.system.spec.ts';

/**
 * Specs that call the application in their own process, and end in it what they start. Those that look for decoder
 * or encoder processes below themselves run alone, since an application that others share has some, too.
 */
const HTTP = [
  'test/http/**/!(isolation|crash).spec.ts',
  'test/contracts/**/*.spec.ts',
  'test/roles/**/!(*decode*|*encode*).spec.ts',
];

const BROWSER = 'test/browser/**/*.spec.ts';

/**
 * Expensive specs that show on a larger scale what other specs show, or use many third-party packages. `npm test` leaves
 * them to `npm run test:extended`, unless their path is given.
 */
const EXTENDED = '{src,test}/**/*.extended.spec.ts';

const POSTGRES = 'test/support/database/global-setup.ts';

const SHARED_SERVICE = 'test/support/roles/shared-service-setup.ts';

const CORES = availableParallelism();
/** Limits only end what hangs: a busy machine takes several times as long as an idle one. */
const PATIENT = { testTimeout: 300_000, hookTimeout: 300_000 };
/** Specs that wait for processes, leases and receivers two thirds of their time. */
const WAITING = { ...PATIENT, maxWorkers: CORES * 3, sequence: { groupOrder: 1 } };
/**
 * Specs that compute. More at once take longer and a quarter to half as much CPU again: each worker loads the application, and a
 * page that waits for the processor goes on drawing.
 */
const COMPUTING = { ...PATIENT, maxWorkers: Math.ceil(CORES * 1.5), sequence: { groupOrder: 2 } };

// eslint-disable-next-line import/no-default-export -- vitest reads the default export
export default defineConfig({
  // Nest's injection needs decorator metadata, which esbuild does not write.
  plugins: [
    swc.vite({
      module: { type: 'es6' },
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true },
        keepClassNames: true,
      },
    }),
  ],
  // As in tsconfig.json: tools import the sources, not what is built.
  resolve: { alias: [{ find: /^#src\//, replacement: `${import.meta.dirname}/src/` }] },
  test: {
    pool: 'forks',
    // Specs that use ONNX Runtime themselves send no telemetry either.
    env: { ORT_DISABLE_TELEMETRY: '1' },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // The default of one second fails what is merely slow on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongestFirst },
    setupFiles: ['scripts/lib/vitest/measure-cpu.mjs'],
    // For `npm run coverage`. What runs in processes of its own is not counted.
    coverage: {
      provider: 'v8',
      include: ['{src,tools,web/src}/**/*.{ts,tsx,mjs}'],
      exclude: ['**/*.spec.ts', '**/testing/**'],
      reportsDirectory: 'out/coverage',
      reporter: ['text-summary', 'html'],
    },
    projects: [
      {
        extends: true,
        test: {
          ...WAITING,
          name: 'system',
          isolate: false,
          include: ['test/**/*.spec.ts', SYSTEM],
          exclude: [...HTTP, ...UNIT, BROWSER, EXTENDED],
          globalSetup: [POSTGRES, SHARED_SERVICE],
        },
      },
      {
        extends: true,
        test: {
          ...COMPUTING,
          name: 'browser',
          // Each check takes 2.6 ms of CPU in the page, the browser and the spec. The default is 50 ms between two.
          expect: { poll: { timeout: 60_000, interval: 100 } },
          isolate: false,
          include: [BROWSER],
          exclude: [EXTENDED],
          globalSetup: [POSTGRES, SHARED_SERVICE],
        },
      },
      {
        extends: true,
        test: {
          ...WAITING,
          name: 'extended',
          isolate: false,
          include: [EXTENDED],
          globalSetup: [POSTGRES, SHARED_SERVICE],
        },
      },
      // Loading the application takes longer than most of these specs: they share what is loaded.
      {
        extends: true,
        test: {
          ...COMPUTING,
          name: 'http',
          include: HTTP,
          exclude: [EXTENDED],
          isolate: false,
          globalSetup: POSTGRES,
        },
      },
      {
        extends: true,
        plugins: [lingui()],
        test: {
          name: 'unit',
          setupFiles: ['scripts/lib/vitest/measure-cpu.mjs', 'scripts/lib/vitest/english-texts.mjs'],
          // As in web/vite.config.ts.
          alias: CLIENT_ALIAS,
          maxWorkers: CORES,
          include: ['{src,tools}/**/*.spec.ts', 'web/src/**/*.spec.ts', ...UNIT],
          exclude: [SYSTEM, EXTENDED],
          isolate: false,
        },
      },
    ],
  },
});
