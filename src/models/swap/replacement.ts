import type { LoggerService } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { sendToSupervisor } from '../../roles/role-channel.js';

/** Exit code of a worker that drained because another one should be started with other models (EX_TEMPFAIL). */
const EXIT_REPLACE = 75;

/** Brings about that another worker process takes this one's place, as far as that is this one's to do. */
export class Replacement {
  exitCode = 0;

  constructor(
    private readonly how: Config['modelSwap'],
    private readonly logger: LoggerService,
  ) {}

  ask(): void {
    if (this.how === 'off') return;
    if (this.how === 'exit') {
      this.logger.log(
        'other models are sound; this worker drains and ends so that it is started with them',
        'models',
      );
      this.exitCode = EXIT_REPLACE;
      process.kill(process.pid, 'SIGTERM');
      return;
    }
    if (process.send === undefined) {
      this.logger.warn(
        'other models are sound; start this worker again to serve them, or set MODEL_SWAP=exit where it is started again by itself',
        'models',
      );
      return;
    }
    this.logger.log('other models are sound; asking for a worker with them', 'models');
    void sendToSupervisor({ type: 'replace' });
  }
}
