import swc from 'unplugin-swc';
import { defineConfig } from 'vitest/config';

/** Specs that leave nothing behind in their process: they start what they need and end it. */
const SHARING = [
  'test/http/**/*.spec.ts',
  'test/contracts/**/*.spec.ts',
  'src/{accounts,auth,common,config,idempotency,jobs,kernel,quotas,uploads,webhooks}/**/*.spec.ts',
  'src/models/{manifest,files,onnx,compose,repository,serving}/**/*.spec.ts',
  'web/src/**/*.spec.ts',
];

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
  test: {
    globalSetup: ['test/support/database/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // The default of one second says "wrong" of what is merely slow on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['src/**/*.spec.ts', 'test/**/*.spec.ts', 'web/src/**/*.spec.ts'],
          exclude: SHARING,
        },
      },
      // Loading the application takes longer than most of these specs: they share what is loaded.
      { extends: true, test: { name: 'sharing', include: SHARING, isolate: false } },
    ],
  },
});
