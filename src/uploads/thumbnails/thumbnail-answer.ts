import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import { namesEtag } from '../files/file-answer.js';
import type { SourceThumbnail } from './source-thumbnails.js';

/** A browser asks once a day whether it is still there: a deleted photo is not seen for longer by its owner either. */
const CACHE_CONTROL = 'private, max-age=86400';

/** Answers with a thumbnail, or that the browser has it already. @throws whatever making it throws */
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
