import { Logger } from '@nestjs/common';
import { isDatabaseUnavailable } from './database.js';

/**
 * Logs errors of background work: an unavailable database as a warning in one line, anything else with its
 * stack.
 * @param context what the lines are logged under
 */
export function errorLogger(context: string): (error: unknown) => void {
  const logger = new Logger(context);
  return (error) => {
    if (isDatabaseUnavailable(error))
      logger.warn({ error: String(error) }, 'the database is unavailable; retrying later');
    else logger.error({ error: String(error) }, error instanceof Error ? (error.stack ?? '') : '');
  };
}
