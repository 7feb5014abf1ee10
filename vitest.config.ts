import swc from 'unplugin-swc';
import { defineConfig } from 'vitest/config';

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
    include: ['src/**/*.spec.ts', 'test/**/*.spec.ts', 'web/src/**/*.spec.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
