import type { FileUrls } from '../../../uploads/files/file-urls.js';
import { mapUrls, type NamesUploads } from './map-urls.js';

/**
 * A request that was accepted earlier, with the addresses of its background and masks as `PUBLIC_URL` is now. Not for
 * requests of clients, whose addresses must be current.
 */
export function withCurrentUrls<Request extends NamesUploads>(request: Request, fileUrls: FileUrls): Request {
  return mapUrls(request, (url) => fileUrls.current(url));
}
