import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { sendToSupervisor } from '../../roles/role-channel.js';
import type { ExitTurn } from '../serving/exit-turns.repository.js';

/** Exit code of a worker that drained so that a worker with other models is started (EX_TEMPFAIL). */
const EXIT_REPLACE = 75;

/** Pause between two requests to leave. */
const PAUSE_MS = 5_000;

/** Whether a replacement is still needed. */
export type StillNeeded = () => boolean | Promise<boolean>;

export interface ReplacementOptions {
  readonly how: Config['modelSwap'];
  /** Requests to leave; see `ExitTurnsRepository`. */
  readonly requestExit: (fleet?: number) => Promise<ExitTurn>;
  /** After this time, workers that left and did not return no longer count as part of the fleet. */
  readonly patienceMs: number;
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
    const { pauseMs = PAUSE_MS, patienceMs, logger } = this.options;
    let fleet: number | undefined;
    let countedAt = 0;
    this.isWaiting = true;
    for (let tries = 0; await this.isNeeded(); tries += 1) {
      if (fleet !== undefined && performance.now() - countedAt > patienceMs) fleet = undefined;
      const turn = await this.request(fleet);
      if (this.isEnded) return;
      if (turn?.mayExit) return this.exit();
      if (fleet === undefined) countedAt = performance.now();
      fleet ??= turn?.fleet;
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

  private async request(fleet: number | undefined): Promise<ExitTurn | undefined> {
    try {
      return await this.options.requestExit(fleet);
    } catch (error) {
      this.options.logger.warn(
        { error: String(error) },
        'could not ask whether enough others serve',
        'models',
      );
      return undefined;
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
