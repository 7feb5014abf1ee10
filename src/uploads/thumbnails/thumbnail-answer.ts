import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import { namesEtag } from '../files/file-answer.js';
import type { SourceThumbnail } from './source-thumbnails.js';

/** Browsers revalidate once a day, so that a deleted photo is not shown for longer, even to its owner. */
const CACHE_CONTROL = 'private, max-age=86400';

/** Responds with a thumbnail, or with 304. @throws errors of its creation */
export async function answerThumbnail(
  request: FastifyRequest,
  reply: FastifyReply,
  thumbnail: SourceThumbnail,
): Promise<void> {
  const caching = { ETag: thumbnail.etag, 'Cache-Control': CACHE_CONTROL };
  if (namesEtag(request.headers['if-none-match'], thumbnail.etag)) {
    void reply.status(304).headers(caching).send();
    return;
  }
  const picture = await thumbnail.read();
  reply.headers({ ...caching, 'Content-Security-Policy': "default-src 'none'; sandbox" });
  void reply.type('image/webp').send(picture);
}
