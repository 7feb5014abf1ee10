import { serveDecoder } from './infra/image/decoder/serve-decoder.js';

/** Decodes untrusted files in a separate process, so that a decoder bug exposes no secret and harms nothing else. */
serveDecoder();
