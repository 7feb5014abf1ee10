import { serveDecoder } from './infra/image/decoder/serve-decoder.js';

/** Decodes what strangers sent: a process of its own, so that a decoder's bug finds no secret and harms nothing else. */
serveDecoder();
