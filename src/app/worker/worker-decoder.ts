import { Logger } from '@nestjs/common';
import { ImageDecoder } from '../../infra/image/decoder/image-decoder.js';
import type { Scratch } from '../../infra/storage/scratch.js';
import type { RoleSettings } from '../../roles/role-settings.js';

/** What Node and the image library map before they see a file. */
export const DECODER_BASE_BYTES = 500_000_000;
/** A pixel takes at most four bytes in a file; its head and trailer take less than this. */
const FILE_EXTRA_BYTES = 2 ** 20;

/** The decoder of a worker: as many processes as it has jobs in hand, so that no job waits for another's image. */
export function workerDecoder({ config, scratchDir }: RoleSettings, scratch: Scratch): ImageDecoder {
  const logger = new Logger('decoder');
  const decoder = new ImageDecoder({
    processes: config.workerConcurrency,
    maxWaiting: config.workerConcurrency,
    dataBytes: DECODER_BASE_BYTES + config.codecMemoryBytes,
    fileBytes: 4 * config.maxInputPixels + FILE_EXTRA_BYTES,
    hiddenDirs: [config.dataDir, scratchDir],
    workRoot: scratch.dir,
    timeoutMs: config.decodeTimeoutMs,
    timeoutMsPerMegapixel: config.decodeTimeoutMsPerMegapixel,
    warn: (text) => logger.warn(text),
  });
  void decoder.pool.warm();
  return decoder;
}
