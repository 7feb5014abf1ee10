import { Logger } from '@nestjs/common';
import { RepeatedTexts, withRepeats } from '../telemetry/repeated-texts.js';
import { isDatabaseUnavailable } from './database-errors.js';

/**
 * Logs errors of background work: an unavailable database as a warning in one line, anything else with its
 * stack. Some work is tried again every two seconds, so each text is logged at most once a minute.
 * @param context what the lines are logged under
 */
export function errorLogger(context: string): (error: unknown) => void {
  const logger = new Logger(context);
  const texts = new RepeatedTexts();
  return (error) => {
    const unlogged = texts.due(String(error));
    if (unlogged === undefined) return;
    const details = withRepeats(String(error), unlogged);
    if (isDatabaseUnavailable(error)) logger.warn(details, 'the database is unavailable; retrying later');
    else logger.error(details, error instanceof Error ? (error.stack ?? '') : '');
  };
}
