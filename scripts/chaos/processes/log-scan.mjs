import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const FORBIDDEN =
  /unhandled ?(?:promise ?)?rejection|uncaught ?exception|triggerUncaughtException|FATAL ERROR|terminate called|"level":60|ERR_UNHANDLED/i;
const MAX_LENGTH = 500;

/** Finds lines in the logs of the roles that must never be written. @returns {{ file: string, line: string }[]} */
export function findForbiddenLines(logsDir) {
  return readdirSync(logsDir).flatMap((file) =>
    readFileSync(join(logsDir, file), 'utf8')
      .split('\n')
      .filter((line) => FORBIDDEN.test(line))
      .map((line) => ({ file, line: line.slice(0, MAX_LENGTH) })),
  );
}
