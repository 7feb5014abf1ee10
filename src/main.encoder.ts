import { serveEncoder } from './infra/image/encoder/serve-encoder.js';

/** Encodes one large result: a process of its own, so that what the encoder keeps goes back to the system with it. */
serveEncoder();
