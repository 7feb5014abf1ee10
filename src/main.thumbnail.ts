import { serveThumbnail } from './infra/image/thumbnails/serve-thumbnail.js';

/** Creates one thumbnail of an untrusted file in a separate process, because the file may crash it. */
serveThumbnail();
