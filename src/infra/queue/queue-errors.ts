import { Injectable, Logger } from '@nestjs/common';
import { RepeatedTexts, withRepeats } from '../telemetry/repeated-texts.js';

/** Replies of a Redis that answers and does not write: a replica, a full memory, a full disk, missing rights. */
const REFUSES_WRITES = /^(?:READONLY|OOM|MISCONF|NOREPLICAS|NOPERM)\b/;

/** `INFO` is part of a new connection, which must fail with this reason. */
const FORBIDS_INFO = /^NOPERM .*'info'/;

/**
 * Whether ioredis should connect again after this reply. The new connection may reach another server, such as the new
 * primary after a failover. And BullMQ repeats a refused command at once, hundreds of times a second, so the pause
 * before the new connection also slows that down.
 */
export const isRefusedWrite = ({ message }: Error): boolean =>
  REFUSES_WRITES.test(message) && !FORBIDS_INFO.test(message);

/** Logs errors of the queue, each text at most once a minute. */
@Injectable()
export class QueueErrors {
  private readonly logger = new Logger('queue');
  private readonly texts = new RepeatedTexts();

  /** The text of the most recent error. */
  last: string | undefined;

  record(error: Error): void {
    // The rest names the script of BullMQ that failed.
    const text = String(error).split(' script: ')[0]!;
    this.last = text;
    const unlogged = this.texts.due(text);
    if (unlogged === undefined) return;
    const details = withRepeats(text, unlogged);
    if (isRefusedWrite(error))
      this.logger.error(
        details,
        'the Redis of REDIS_URL refuses to write: running workers find jobs in the database. ' +
          'Check its memory, its disk, and whether it is a replica',
      );
    else this.logger.warn(details, 'queue error');
  }
}
