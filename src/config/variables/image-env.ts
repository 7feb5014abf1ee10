import { type Descriptor, integer } from './descriptor.js';

/** Limits of uploads and results. */
export const IMAGE_DESCRIPTORS = {
  uploadMaxBytes: integer('UPLOAD_MAX_BYTES', {
    default: 20 * 2 ** 20,
    min: 1,
    max: 20 * 2 ** 20,
    text: 'Maximum size of an upload. The specification sets the ceiling of 20 MB.',
  }),
  uploadIdleTimeoutMs: integer('UPLOAD_IDLE_TIMEOUT_MS', {
    default: 30_000,
    min: 50,
    max: 600_000,
    text: 'An upload that sends fewer than `UPLOAD_MIN_PROGRESS_BYTES` within this time is canceled.',
  }),
  uploadMinProgressBytes: integer('UPLOAD_MIN_PROGRESS_BYTES', {
    default: 16_384,
    min: 1,
    max: 20 * 2 ** 20,
    text: "Bytes that an upload must send within each `UPLOAD_IDLE_TIMEOUT_MS`, so that a slow client can't hold it open. A complete request must arrive within five minutes in any case.",
  }),
  maxUploadsPerKey: integer('MAX_UPLOADS_PER_KEY', {
    default: 10,
    min: 1,
    max: 10_000,
    text: 'Concurrent uploads per API key. Further uploads wait up to `UPLOAD_SLOT_WAIT_MS` and then get 429 before their body is read. Dashboard uploads are counted per account. Each api process counts separately, so three processes allow up to three times as many.',
  }),
  uploadSlotWaitMs: integer('UPLOAD_SLOT_WAIT_MS', {
    default: 3_000,
    min: 0,
    max: 60_000,
    text: 'How long an upload over `MAX_UPLOADS_PER_KEY` waits for another one to finish, so that a burst of short uploads succeeds. Base64 bodies of `POST /v1.0/removebg` wait as long for memory.',
  }),
  maxInputPixels: integer('MAX_INPUT_PIXELS', {
    default: 50_000_000,
    min: 1,
    max: 1_000_000_000,
    text: 'Maximum size of a source image, width × height.',
  }),
  maxOutputPixels: integer('MAX_OUTPUT_PIXELS', {
    default: 200_000_000,
    min: 1,
    max: 4_000_000_000,
    text: 'Maximum size of a result image, width × height.',
  }),
  codecMemoryBytes: integer('CODEC_MEMORY_BYTES', {
    default: 740_000_000,
    min: 100_000_000,
    max: 1_000_000_000_000,
    text: 'Memory limit for decoding one source or encoding one result. The need is estimated from the header, or from format and size. Uploads and jobs over the limit are rejected. See docs/memory.md.',
  }),
  decodeTimeoutMs: integer('DECODE_TIMEOUT_MS', {
    default: 10_000,
    min: 100,
    max: 3_600_000,
    text: 'Base time limit for decoding one source. A job over the limit fails as `undecodable_image`.',
  }),
  decodeTimeoutMsPerMegapixel: integer('DECODE_TIMEOUT_MS_PER_MEGAPIXEL', {
    default: 500,
    min: 0,
    max: 3_600_000,
    text: 'Additional decoding time for each megapixel of the source.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;
