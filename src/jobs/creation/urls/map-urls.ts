import type { EnhancementStepDto } from '../enhancement-step.dto.js';
import type { OutputDto } from '../output/output.dto.js';

/** The parts of a request that name uploads besides its sources. */
export interface NamesUploads {
  readonly mask?: EnhancementStepDto['mask'];
  readonly operations?: readonly EnhancementStepDto[];
  readonly output?: OutputDto | null;
}

/** A copy of a request with other texts in place of the URLs of its background and masks. */
export function mapUrls<Request extends NamesUploads>(
  request: Request,
  changed: (url: string) => string,
): Request {
  const renamed = <Upload extends { readonly sourceUrl: string }>(upload: Upload): Upload => ({
    ...upload,
    sourceUrl: changed(upload.sourceUrl),
  });
  const { mask, operations, output } = request;
  const background = output?.background;
  return {
    ...request,
    ...(mask && { mask: renamed(mask) }),
    ...(operations && {
      operations: operations.map((step) =>
        step.mask ? Object.assign({}, step, { mask: renamed(step.mask) }) : step,
      ),
    }),
    ...(typeof background === 'object' &&
      background !== null && { output: Object.assign({}, output, { background: renamed(background) }) }),
  };
}
