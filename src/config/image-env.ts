import { type Descriptor, integer } from './descriptor.js';

/** What uploads and results may be. */
export const IMAGE_DESCRIPTORS = {
  uploadMaxBytes: integer('UPLOAD_MAX_BYTES', {
    default: 20 * 2 ** 20,
    min: 1,
    max: 20 * 2 ** 20,
    text: 'Largest upload. The specification fixes 20 MB as the ceiling.',
  }),
  uploadIdleTimeoutMs: integer('UPLOAD_IDLE_TIMEOUT_MS', {
    default: 30_000,
    min: 50,
    max: 600_000,
    text: 'An upload that sends fewer than `UPLOAD_MIN_PROGRESS_BYTES` in this time is dropped.',
  }),
  uploadMinProgressBytes: integer('UPLOAD_MIN_PROGRESS_BYTES', {
    default: 16_384,
    min: 1,
    max: 20 * 2 ** 20,
    text: 'Bytes an unfinished upload must send within each `UPLOAD_IDLE_TIMEOUT_MS`, so that a slow sender cannot hold it open. Whatever its speed, a request must arrive within five minutes.',
  }),
  maxUploadsPerKey: integer('MAX_UPLOADS_PER_KEY', {
    default: 10,
    min: 1,
    max: 10_000,
    text: 'Uploads one key may have in progress at once; further ones wait for `UPLOAD_SLOT_WAIT_MS` and are then answered with 429 before they are read. Uploads in the dashboard are counted for each account. Each API process counts for itself, so a fleet of three allows up to three times as many.',
  }),
  uploadSlotWaitMs: integer('UPLOAD_SLOT_WAIT_MS', {
    default: 3_000,
    min: 0,
    max: 60_000,
    text: 'How long an upload over `MAX_UPLOADS_PER_KEY` waits for another one to end, so that a burst of short uploads succeeds.',
  }),
  maxInputPixels: integer('MAX_INPUT_PIXELS', {
    default: 50_000_000,
    min: 1,
    max: 1_000_000_000,
    text: 'Largest source image, width × height.',
  }),
  maxOutputPixels: integer('MAX_OUTPUT_PIXELS', {
    default: 200_000_000,
    min: 1,
    max: 4_000_000_000,
    text: 'Largest result image, width × height.',
  }),
  codecMemoryBytes: integer('CODEC_MEMORY_BYTES', {
    default: 740_000_000,
    min: 100_000_000,
    max: 1_000_000_000_000,
    text: 'Memory that decoding one source (in a process of its own), or encoding one result, may take, as estimated from its header or its format and size. What needs more is refused when it is uploaded or ordered. See docs/memory.md.',
  }),
  decodeTimeoutMs: integer('DECODE_TIMEOUT_MS', {
    default: 10_000,
    min: 100,
    max: 3_600_000,
    text: 'Time that decoding one source may take, whatever its size. Past it the job fails as `undecodable_image`.',
  }),
  decodeTimeoutMsPerMegapixel: integer('DECODE_TIMEOUT_MS_PER_MEGAPIXEL', {
    default: 500,
    min: 0,
    max: 3_600_000,
    text: 'Time that decoding may take on top of that for each megapixel of the source.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;
