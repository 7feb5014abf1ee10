import type { LinguiConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';

// eslint-disable-next-line import/no-default-export -- Lingui reads the default export
export default {
  rootDir: import.meta.dirname,
  sourceLocale: 'en',
  locales: ['de'],
  // Without line references, catalogs change only when texts change.
  format: formatter({ origins: false }),
  catalogs: [
    { path: '<rootDir>/src/locales/{locale}', include: ['<rootDir>/src'], exclude: ['**/*.spec.ts'] },
  ],
} satisfies Partial<LinguiConfig>;
