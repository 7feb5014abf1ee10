import { join } from 'node:path';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { ImageProcessPool } from '../../infra/image/process/image-process-pool.js';
import { HeaderReader } from '../../infra/image/decoder/header-reader.js';
import { type ProbedImage, probeImage } from '../../infra/image/containers/probe.js';

/** Reading a header takes milliseconds; several processes allow for files that occupy one until its deadline. */
const PROCESSES = 4;
/** Uploads that wait for one of them; each account has a few at most. */
const MAX_WAITING = 500;
/** Node, the image library, and a file with its metadata. */
const DATA_BYTES = 600_000_000;

/** Decides whether uploaded files are images to work on; the image library runs in processes without secrets. */
@Injectable()
export class ImageProbe implements OnApplicationShutdown {
  private readonly headers: HeaderReader;

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
  examine(path: string): Promise<ProbedImage> {
    const { maxInputPixels: maxPixels, codecMemoryBytes: maxDecodingBytes } = this.config;
    return probeImage(path, { maxPixels, maxDecodingBytes }, (...args) => this.headers.read(...args));
  }

  /** Starts a process before the first upload needs it. */
  warm(): Promise<void> {
    return this.headers.pool.warm();
  }

  onApplicationShutdown(): Promise<void> {
    return this.headers.pool.close();
  }
}
