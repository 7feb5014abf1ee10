import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../kernel/app-error.js';
import { diskFaultCode, refuseFullDisk } from '../../storage/storage-fault.js';
import { worstCaseEncodingBytes } from '../codec/codec-memory.js';
import { assertSides, DEFAULT_QUALITY, type EncodeOptions, encodeToFile } from '../codec/encode.js';
import { openForeign } from '../codec/foreign-file.js';
import type { PixelFile } from '../codec/pixel-file.js';
import { diskFaultOf } from '../process/disk-fault-answer.js';
import type { UncheckedAnswer } from '../process/image-process-protocol.js';
import {
  ImageProcessPool,
  type ImageProcessPoolOptions,
  type PooledProcess,
} from '../process/image-process-pool.js';
import { ImageProcessLost } from '../process/image-process.js';
import { withImageProcess } from '../process/with-image-process.js';
import type { EncoderRequest } from './encoder-protocol.js';
import { fitBytes, type FittingEncode } from './fit-bytes.js';

/** An encode that needs more memory runs in its own process. Starting one takes a fraction of the encoding time. */
export const OWN_PROCESS_BYTES = 200_000_000;

/** Only a hanging encoder takes longer: even at the highest effort, a megapixel takes seconds. */
const BASE_DEADLINE_MS = 120_000;
const DEADLINE_MS_PER_MEGAPIXEL = 30_000;

const PIXELS = 'pixels.tif';
const ENCODED = 'encoded';

/**
 * Encodes results. A process keeps the memory that a WebP or AVIF encoder allocated, so a large encode runs in a
 * process that exits afterward.
 */
export class ImageEncoder {
  readonly pool: ImageProcessPool;

  constructor(options: ImageProcessPoolOptions) {
    this.pool = new ImageProcessPool('encoder', options);
  }

  /**
   * Like the function `encodeToFile`, on the disk of the pool's `workRoot`. Leaves no file when it throws.
   * @param signal kills the encoding process at once
   * @throws AppError `too_many_pixels` like `encodeImage`, and when a large encode fails; `processing_failed` when the
   * process crashes or hangs; `service_unavailable` when the disk is full or the process was killed; the reason of the
   * signal
   */
  async encodeToFile(
    pixels: PixelFile,
    path: string,
    options: EncodeOptions,
    signal?: AbortSignal,
  ): Promise<number> {
    if (!needsOwnProcess(pixels, options)) return encodeToFile(pixels, path, options);
    assertSides(pixels, options.format);
    return withImageProcess(this.pool, { verb: 'encoding', refuse: refusalOfLoss, signal }, (pooled) =>
      encodeIn(pooled, pixels, path, options),
    ).catch(refuseFullDisk);
  }

  /**
   * Like `encodeToFile`, at the highest quality whose file takes at most `maxBytes`; see `fitBytes`. Encodes PNG once.
   * @returns quality and size of the file, which is larger than `maxBytes` when no quality fits
   */
  async encodeWithin(
    pixels: PixelFile,
    path: string,
    { maxBytes, ...options }: EncodeOptions & { readonly maxBytes: number },
    signal?: AbortSignal,
  ): Promise<FittingEncode> {
    const { format } = options;
    if (format === 'png')
      return { quality: 100, bytes: await this.encodeToFile(pixels, path, options, signal) };
    const attempt = `${path}.attempt`;
    const wanted = options.quality ?? DEFAULT_QUALITY[format];
    const encode = async (quality: number): Promise<number> => {
      // Lossless transparency would take up most of a small WebP.
      const alphaQuality = quality < wanted ? quality : undefined;
      const bytes = await this.encodeToFile(pixels, attempt, { ...options, quality, alphaQuality }, signal);
      // Each attempt that fits has a higher quality than the last one, so the last one is the best.
      if (bytes <= maxBytes) await rename(attempt, path);
      else await rm(attempt);
      return bytes;
    };
    return fitBytes(encode, { quality: wanted, maxBytes });
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

async function encodeIn(
  { process, workDir }: PooledProcess,
  pixels: PixelFile,
  path: string,
  options: EncodeOptions,
): Promise<number> {
  const { width, height, channels } = pixels;
  const shape = { width, height, channels };
  const inside = join(workDir!, PIXELS);
  const deadlineMs = BASE_DEADLINE_MS + (DEADLINE_MS_PER_MEGAPIXEL * width * height) / 1e6;
  // The process can access only its own folder.
  await rename(pixels.path, inside);
  try {
    await process.own(inside);
    const order: EncoderRequest = { sizeBytes: 0, pixels: PIXELS, shape, file: ENCODED, options };
    const bytes = checkedBytes(await process.ask(order, [], deadlineMs), (internal) =>
      tooDemanding(pixels, options, internal),
    );
    await rename(join(workDir!, ENCODED), path).catch(absent);
    await openForeign(path, { minBytes: bytes, maxBytes: bytes })
      .then((handle) => handle.close())
      .catch(absent);
    return bytes;
  } finally {
    await rename(inside, pixels.path);
  }
}

/** Whether encoding is estimated to need more memory than a worker should keep. */
export function needsOwnProcess(
  { width, height, channels }: Pick<PixelFile, 'width' | 'height' | 'channels'>,
  { format, background, maxEncodingBytes = Infinity }: EncodeOptions,
): boolean {
  const hasAlpha = isTransparent({ channels }, { background });
  return worstCaseEncodingBytes({ format, hasAlpha }, width * height, maxEncodingBytes) > OWN_PROCESS_BYTES;
}

function isTransparent(
  { channels }: Pick<PixelFile, 'channels'>,
  { background }: Pick<EncodeOptions, 'background'>,
): boolean {
  return channels === 4 && background === undefined;
}

function checkedBytes(answer: UncheckedAnswer, refusal: (internal: string) => AppError): number {
  const { kind, bytes, internal } = answer as { kind: unknown; bytes?: unknown; internal?: unknown };
  if (kind === 'encoded' && Number.isSafeInteger(bytes) && (bytes as number) > 0) return bytes as number;
  const diskFault = diskFaultOf(answer);
  if (diskFault !== undefined) throw diskFault;
  if (kind === 'failed') throw refusal(`the encoder failed: ${String(internal)}`);
  throw new ImageProcessLost('unsound', `sent the invalid answer ${String(kind)}`);
}

/**
 * The estimates do not cover every picture: transparency that differs from pixel to pixel takes more memory. Encoders do
 * not say why they fail, but their other options are checked.
 */
function tooDemanding(pixels: PixelFile, options: EncodeOptions, internal: string): AppError {
  const { width, height } = pixels;
  const isCutout = isTransparent(pixels, options);
  const kind = `${options.format}${isCutout ? ' with transparency' : ''}`;
  const other = isCutout ? 'png, or jpeg with a background' : 'jpeg or png';
  return new AppError('too_many_pixels', {
    detail: `The encoder could not write ${width} × ${height} pixels as ${kind}, usually because that takes more memory than this service allows. Choose another output.format (${other}) or a smaller source.`,
    internal,
  });
}

/** A missing file is unsound, because the process reported that it had written the file. */
function absent(error: unknown): never {
  if (diskFaultCode(error) !== undefined) throw error;
  throw new ImageProcessLost('unsound', `left no file of the reported length (${String(error)})`);
}

function refusalOfLoss(loss: ImageProcessLost): AppError {
  return new AppError('processing_failed', { internal: loss.message, cause: loss });
}
