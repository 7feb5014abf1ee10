import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { isDatabaseAway } from '../../infra/database/database.js';
import { Sweeper } from '../../jobs/sweeper.js';
import { HouseKeeper } from './house-keeper.js';

/** Sweeps again and again, one round at a time, whatever a round meets. */
@Injectable()
export class SweepLoop implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('sweeper');
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly sweeper: Sweeper,
    private readonly houseKeeper: HouseKeeper,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.schedule();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.round;
  }

  private schedule(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.round = this.once().finally(() => this.schedule());
    }, this.config.sweepIntervalMs);
  }

  private async once(): Promise<void> {
    try {
      await this.sweeper.sweep();
      await this.houseKeeper.keep();
    } catch (error) {
      if (isDatabaseAway(error))
        this.logger.warn({ error: String(error) }, 'the database is away; sweeping again later');
      else this.logger.error({ error: String(error) }, error instanceof Error ? (error.stack ?? '') : '');
    }
  }
}
