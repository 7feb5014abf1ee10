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
    text: 'An upload that sends nothing for this long is dropped.',
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
    text: 'Memory that decoding one source, or encoding one result, may take, as estimated from its header or its format and size. What needs more is refused when it is uploaded or ordered. See "Memory" in docs/architecture.md.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;
