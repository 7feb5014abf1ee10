import type { BackgroundFit, MetadataMode, OutputKind, Shadow } from '../kernel/output-options.js';
import type { ImageFormat } from '../kernel/operations.js';

/** An upload behind the subject, with what a worker must know of it before it claims the job. */
export interface BackgroundPicture {
  readonly sourceId: string;
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly fit: BackgroundFit;
}

/** What becomes of the rendered pixels, with all defaults resolved. Options that do not apply are absent. */
export interface JobOutput {
  readonly format: ImageFormat;
  /** 1–100; null = the format's default. */
  readonly quality: number | null;
  /** What replaces transparency: `#rrggbb`, a picture, or nothing. */
  readonly background: string | BackgroundPicture | null;
  readonly crop?: 'subject';
  /** Present with `crop`: a share of the subject's longer side. */
  readonly padding?: number;
  readonly shadow?: Shadow;
  readonly kind?: Exclude<OutputKind, 'image'>;
  readonly maxBytes?: number;
  readonly metadata?: Exclude<MetadataMode, 'strip'>;
  readonly provenance?: true;
  /** The most pixels that the result can have, if a crop with padding or a shadow may enlarge it. */
  readonly mostPixels?: number;
}

/** The picture behind the subject, if there is one. */
export function backgroundPicture({ background }: Pick<JobOutput, 'background'>): BackgroundPicture | null {
  return typeof background === 'object' ? background : null;
}

/**
 * The IPTC digital source type of the result if the client asked for one: an enhanced photograph, or a composite of
 * several. See http://cv.iptc.org/newscodes/digitalsourcetype/.
 */
export function digitalSourceType(output: JobOutput): string | undefined {
  if (output.provenance !== true) return undefined;
  return backgroundPicture(output) === null ? 'algorithmicallyEnhanced' : 'composite';
}

/** Whether new pixels are drawn from the rendered ones. */
export function isDrawn({ crop, shadow, kind, background }: JobOutput): boolean {
  return (
    [crop, shadow, kind].some((option) => option !== undefined) || backgroundPicture({ background }) !== null
  );
}

/** Whether workers of earlier versions would produce something other than what the client ordered. */
export function needsFinishing(output: JobOutput): boolean {
  const { format: _format, quality: _quality, background, ...options } = output;
  return backgroundPicture({ background }) !== null || Object.keys(options).length > 0;
}
