import type { LoggerService } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { sendToSupervisor } from '../../roles/role-channel.js';

/** Exit code of a worker that drained so that a worker with other models is started (EX_TEMPFAIL). */
const EXIT_REPLACE = 75;

/** Requests that another worker process replaces this one. */
export class Replacement {
  exitCode = 0;

  constructor(
    private readonly how: Config['modelSwap'],
    private readonly logger: LoggerService,
  ) {}

  ask(): void {
    if (this.how === 'off') return;
    if (this.how === 'exit') {
      this.logger.log('new models are ready; draining so that a restart loads them', 'models');
      this.exitCode = EXIT_REPLACE;
      process.kill(process.pid, 'SIGTERM');
      return;
    }
    if (process.send === undefined) {
      this.logger.warn(
        'new models are ready; restart this worker to serve them, or set MODEL_SWAP=exit if it is restarted automatically',
        'models',
      );
      return;
    }
    this.logger.log('new models are ready; requesting a new worker', 'models');
    void sendToSupervisor({ type: 'replace' });
  }
}
