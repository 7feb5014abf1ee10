import { IMAGE_FORMATS } from '../../../kernel/operations.js';
import { ADDRESS, COUNT, EDGE, idOf, objectOf, SHA256, TIME } from './json-schema.js';

/** An uploaded source, as `POST /api/ai/upload` answered it. */
export const UPLOAD_SCHEMA = objectOf({
  url: { ...ADDRESS, description: 'Use it as `sourceUrl`.' },
  id: idOf('src'),
  format: { type: 'string', enum: IMAGE_FORMATS },
  width: EDGE,
  height: EDGE,
  bytes: COUNT,
  sha256: SHA256,
  createdAt: TIME,
});
