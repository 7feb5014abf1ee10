import { writeFileSync } from 'node:fs';

/** Environment variable: path of the report. */
export const UNHANDLED_ERRORS_FILE = 'IES_UNHANDLED_ERRORS_FILE';

/** How vitest describes the end of a process that ran specs. */
const PROCESS_END = 'Worker exited unexpectedly';

/**
 * Reports errors outside of tests, which vitest's JSON report lacks.
 * @typedef {object} UnhandledError
 * @property {string | null} path the spec file that ran at the time of the error, or null if none did
 * @property {boolean} isProcessEnd
 */
export class UnhandledErrors {
  onTestRunEnd(_modules, errors) {
    const path = process.env[UNHANDLED_ERRORS_FILE];
    if (path === undefined) return;
    writeFileSync(path, JSON.stringify(errors.map((error) => described(error))));
  }
}

// eslint-disable-next-line import/no-default-export -- vitest loads reporters by their default export
export default UnhandledErrors;

/** @returns {UnhandledError} */
function described({ VITEST_TEST_PATH: path = null, message, cause }) {
  return { path, isProcessEnd: [message, cause?.message].includes(PROCESS_END) };
}
