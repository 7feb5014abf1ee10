import type { FileUrls } from '../../uploads/files/file-urls.js';
import type { EnhancementStepDto } from './enhancement-step.dto.js';
import type { OutputDto } from './output/output.dto.js';

/** The parts of a stored request that name uploads. */
interface StoredRequest {
  readonly mask?: EnhancementStepDto['mask'];
  readonly operations?: readonly EnhancementStepDto[];
  readonly output?: OutputDto | null;
}

/**
 * A request that was accepted earlier, with the addresses of its background and masks as `PUBLIC_URL` is now. Not for
 * requests of clients, whose addresses must be current.
 */
export function withCurrentUrls<Request extends StoredRequest>(
  request: Request,
  fileUrls: FileUrls,
): Request {
  const renewed = <Upload extends { readonly sourceUrl: string }>(upload: Upload): Upload => ({
    ...upload,
    sourceUrl: fileUrls.current(upload.sourceUrl),
  });
  const { mask, operations, output } = request;
  const background = output?.background;
  return {
    ...request,
    ...(mask && { mask: renewed(mask) }),
    ...(operations && {
      operations: operations.map((step) =>
        step.mask ? Object.assign({}, step, { mask: renewed(step.mask) }) : step,
      ),
    }),
    ...(typeof background === 'object' &&
      background !== null && { output: Object.assign({}, output, { background: renewed(background) }) }),
  };
}
