import { Logger } from '@nestjs/common';
import { ImageDecoder } from '../../infra/image/decoder/image-decoder.js';
import { ImageEncoder } from '../../infra/image/encoder/image-encoder.js';
import { ImageCodecs } from '../../infra/image/image-codecs.js';
import type { Scratch } from '../../infra/storage/scratch.js';
import type { RoleSettings } from '../../roles/role-settings.js';

/** Memory that Node and the image library map before they read a file. */
export const PROCESS_BASE_BYTES = 500_000_000;
/** A pixel takes at most four bytes in a file; its header and trailer take less than this. */
const FILE_EXTRA_BYTES = 2 ** 20;
/** What may use these processes besides the jobs: a test job, a comparison of versions, and a shadow run. */
const OTHER_USERS = 3;

/**
 * The decoder and encoder processes of a worker: one of each per concurrent job, so that no job waits for another job's
 * image. Everything that uses them may wait at the same time, so none of it is refused.
 */
export function workerCodecs({ config, scratchDir }: RoleSettings, scratch: Scratch): ImageCodecs {
  const logger = new Logger('codecs');
  const shared = {
    processes: config.workerConcurrency,
    maxWaiting: config.workerConcurrency + OTHER_USERS,
    dataBytes: PROCESS_BASE_BYTES + config.codecMemoryBytes,
    hiddenDirs: [config.dataDir, scratchDir],
    workRoot: scratch.dir,
    warn: (text: string) => logger.warn(text),
  } as const;
  const decoder = new ImageDecoder({
    ...shared,
    fileBytes: 4 * config.maxInputPixels + FILE_EXTRA_BYTES,
    timeoutMs: config.decodeTimeoutMs,
    timeoutMsPerMegapixel: config.decodeTimeoutMsPerMegapixel,
  });
  void decoder.pool.warm();
  const encoder = new ImageEncoder({
    ...shared,
    fileBytes: 4 * config.maxOutputPixels + FILE_EXTRA_BYTES,
  });
  return new ImageCodecs(decoder, encoder);
}
