import { serveThumbnail } from './infra/image/thumbnails/serve-thumbnail.js';

/** Makes one small picture of what a stranger sent: a process of its own, since that may crash it. */
serveThumbnail();
