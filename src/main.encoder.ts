import { serveEncoder } from './infra/image/encoder/serve-encoder.js';

/** Encodes one large result in a separate process, so that memory the encoder keeps is freed when the process exits. */
serveEncoder();
