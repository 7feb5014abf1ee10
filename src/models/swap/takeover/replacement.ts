import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
import type { Config } from '../../../config/env.js';
import { sendToSupervisor } from '../../../roles/role-channel.js';

/** Exit code of a worker that drained so that a worker with other models is started (EX_TEMPFAIL). */
const EXIT_REPLACE = 75;

/** Pause between two requests to leave. */
const PAUSE_MS = 5_000;

/** Whether a replacement is still needed. */
export type StillNeeded = () => boolean | Promise<boolean>;

export interface ReplacementOptions {
  readonly how: Config['modelSwap'];
  /** Requests to leave, and returns whether this worker may; see `ExitTurnsRepository`. */
  readonly requestExit: () => Promise<boolean>;
  readonly logger: LoggerService;
  /** Ends this process after a drain. Default: SIGTERM. */
  readonly exit?: () => void;
  /** Default: 5 s. */
  readonly pauseMs?: number;
}

/** Requests that another worker process replaces this one. */
export class Replacement {
  exitCode = 0;
  private readonly needs = new Set<StillNeeded>();
  private isWaiting = false;
  private isEnded = false;

  constructor(private readonly options: ReplacementOptions) {}

  /** @param isNeeded asked again while this worker waits until enough others serve */
  ask(isNeeded: StillNeeded): void {
    const { how, logger } = this.options;
    if (how === 'off' || this.isEnded) return;
    if (how === 'exit') {
      this.needs.add(isNeeded);
      if (!this.isWaiting) void this.exitInTurn();
      return;
    }
    if (process.send === undefined) {
      logger.warn(
        'new models are ready; restart this worker to serve them, or set MODEL_SWAP=exit if it is restarted automatically',
        'models',
      );
      return;
    }
    logger.log('new models are ready; requesting a new worker', 'models');
    void sendToSupervisor({ type: 'replace' });
  }

  /** Stops waiting, because this worker exits for another reason. */
  end(): void {
    this.isEnded = true;
  }

  private async exitInTurn(): Promise<void> {
    const { pauseMs = PAUSE_MS, logger } = this.options;
    this.isWaiting = true;
    for (let tries = 0; await this.isNeeded(); tries += 1) {
      const mayExit = await this.request();
      if (this.isEnded) return;
      if (mayExit) return this.exit();
      if (tries === 0) logger.log('new models are ready; waiting until enough other workers serve', 'models');
      await sleep(pauseMs, undefined, { ref: false });
    }
    this.isWaiting = false;
  }

  private async isNeeded(): Promise<boolean> {
    for (const isStillNeeded of this.needs) {
      try {
        if (!(await isStillNeeded())) this.needs.delete(isStillNeeded);
      } catch (error) {
        this.options.logger.warn({ error: String(error) }, 'could not check what jobs need', 'models');
      }
    }
    return this.needs.size > 0 && !this.isEnded;
  }

  private async request(): Promise<boolean> {
    try {
      return await this.options.requestExit();
    } catch (error) {
      this.options.logger.warn(
        { error: String(error) },
        'could not ask whether enough others serve',
        'models',
      );
      return false;
    }
  }

  private exit(): void {
    const { logger, exit = () => process.kill(process.pid, 'SIGTERM') } = this.options;
    this.isEnded = true;
    this.exitCode = EXIT_REPLACE;
    logger.log('new models are ready; draining so that a restart loads them', 'models');
    exit();
  }
}
