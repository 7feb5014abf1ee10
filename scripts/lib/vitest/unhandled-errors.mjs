import { writeFileSync } from 'node:fs';

/** Environment variable: path of the report. */
export const UNHANDLED_ERRORS_FILE = 'IES_UNHANDLED_ERRORS_FILE';

/**
 * Reports errors outside of tests, which vitest's JSON report lacks: a JSON array with the path of the spec file that
 * ran at the time of each error, or null if none did.
 */
export class UnhandledErrors {
  onTestRunEnd(_modules, errors) {
    const path = process.env[UNHANDLED_ERRORS_FILE];
    if (path === undefined) return;
    writeFileSync(path, JSON.stringify(errors.map((error) => error.VITEST_TEST_PATH ?? null)));
  }
}

// eslint-disable-next-line import/no-default-export -- vitest loads reporters by their default export
export default UnhandledErrors;
