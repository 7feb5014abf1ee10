import { join } from 'node:path';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { ImageProcessPool } from '../../infra/image/process/image-process-pool.js';
import { HeaderReader } from '../../infra/image/decoder/header-reader.js';
import { type ProbedImage, probeImage } from '../../infra/image/containers/probe.js';
import { AppError } from '../../kernel/app-error.js';
import { FairPermits } from '../../kernel/permits/fair-permits.js';

/** Reading a header takes milliseconds; several processes allow for files that occupy one until its deadline. */
const PROCESSES = 4;
/** The files of one account occupy no more, so that those of others do not wait for them. */
const PROCESSES_PER_ACCOUNT = 2;
/** Uploads that wait for one of them; each account has a few at most. */
const MAX_WAITING = 500;
const RETRY_AFTER_SECONDS = 5;
/** Node, the image library, and a file with its metadata. */
const DATA_BYTES = 600_000_000;

/** Decides whether uploaded files are images to work on; the image library runs in processes without secrets. */
@Injectable()
export class ImageProbe implements OnApplicationShutdown {
  private readonly headers: HeaderReader;
  private readonly permits = new FairPermits(PROCESSES, PROCESSES_PER_ACCOUNT);

  constructor(@Inject(CONFIG) private readonly config: Config) {
    const logger = new Logger('decoder');
    const { dataDir, scratchDir = join(dataDir, 'scratch') } = config;
    const pool = new ImageProcessPool('decoder', {
      processes: PROCESSES,
      maxWaiting: MAX_WAITING,
      dataBytes: DATA_BYTES,
      fileBytes: 0,
      hiddenDirs: [dataDir, scratchDir],
      warn: (text) => logger.warn(text),
    });
    this.headers = new HeaderReader(pool);
  }

  /** @throws AppError as `probeImage`; `service_unavailable` when too many uploads wait */
  examine(path: string, accountId: string): Promise<ProbedImage> {
    const { maxInputPixels: maxPixels, codecMemoryBytes: maxDecodingBytes } = this.config;
    return probeImage(path, { maxPixels, maxDecodingBytes }, (...args) => {
      if (this.permits.waiting >= MAX_WAITING)
        throw new AppError('service_unavailable', {
          internal: 'too many uploads wait for a process that reads headers',
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      return this.permits.run(accountId, () => this.headers.read(...args));
    });
  }

  /** Starts a process before the first upload needs it. */
  warm(): Promise<void> {
    return this.headers.pool.warm();
  }

  onApplicationShutdown(): Promise<void> {
    return this.headers.pool.close();
  }
}
