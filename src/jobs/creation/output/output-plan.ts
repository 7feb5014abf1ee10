import { invalidRequest } from '../../../common/validation/validation.pipe.js';
import { largestFrame } from '../../../infra/image/finish/subject-frame.js';
import type { FieldError } from '../../../kernel/app-error.js';
import type { ImageFormat } from '../../../kernel/operations.js';
import type { BackgroundPicture, JobOutput } from '../../job-output.js';
import type { OutputDto } from './output.dto.js';
import { shadowOf } from './output-members.js';
import type { RequestedResult } from './result-limits.js';

/** An image after the last operation. */
export interface RenderedImage {
  readonly width: number;
  readonly height: number;
  /** Whether it has transparency, from an operation or from its source. */
  readonly hasAlpha: boolean;
  /** The operation that produces the transparency, if one does. */
  readonly cutout: string | undefined;
  /** Of the source. */
  readonly format: ImageFormat;
}

/** What `output.background` of a request names. */
export interface RequestedBackground extends BackgroundPicture {
  /** Whether the result may be transparent where this picture is. Not stored: only planning needs it. */
  readonly hasAlpha: boolean;
}

export interface PlannedOutput {
  readonly output: JobOutput;
  /** The largest result that the output allows. */
  readonly result: RequestedResult;
}

/**
 * Resolves the output options of a request.
 * @param picture what `output.background` names, if it names an upload
 * @throws AppError `invalid_request` with every option that does not fit the operations or another option
 */
export function planOutput(
  given: OutputDto,
  rendered: RenderedImage,
  picture?: RequestedBackground,
): PlannedOutput {
  const format = given.format ?? (rendered.cutout === undefined ? rendered.format : 'png');
  const faults = faultsOf(given, format, rendered);
  if (faults.length > 0) throw invalidRequest(faults);
  const shadow = shadowOf(given.shadow);
  const crop = given.crop && { crop: given.crop, padding: given.padding ?? 0 };
  const output: JobOutput = {
    format,
    quality: given.quality ?? null,
    background: picture === undefined ? colorOf(given) : stored(picture),
    ...crop,
    ...(shadow && { shadow }),
    ...(given.kind !== undefined && given.kind !== 'image' && { kind: given.kind }),
    ...(given.maxBytes !== undefined && { maxBytes: given.maxBytes }),
    ...(given.metadata !== undefined && given.metadata !== 'strip' && { metadata: given.metadata }),
    ...(given.provenance === true && { provenance: true }),
  };
  const size = crop === undefined ? rendered : largestFrame(rendered, { padding: crop.padding, shadow });
  const { width, height } = size;
  const result = { format, width, height, hasAlpha: hasAlphaAfter(output, rendered, picture) };
  return { output: { ...output, ...(crop && { mostPixels: width * height }) }, result };
}

function colorOf({ background }: OutputDto): string | null {
  return typeof background === 'string' ? background.toLowerCase() : null;
}

function stored({ hasAlpha: _hasAlpha, ...picture }: RequestedBackground): BackgroundPicture {
  return picture;
}

function hasAlphaAfter(
  output: JobOutput,
  { hasAlpha }: RenderedImage,
  picture: RequestedBackground | undefined,
): boolean {
  if (output.kind !== undefined || typeof output.background === 'string') return false;
  return picture === undefined ? hasAlpha : picture.fit === 'contain' || picture.hasAlpha;
}

function faultsOf(given: OutputDto, format: ImageFormat, { hasAlpha, cutout }: RenderedImage): FieldError[] {
  const isMatte = given.kind !== undefined && given.kind !== 'image';
  const faults = hasAlpha ? [] : transparencyFaults(given);
  const refuse = (option: string, code: string, reason: string): void => {
    faults.push({ field: `output.${option}`, code, message: `output.${option} ${reason}` });
  };
  if (isMatte && (given.background ?? null) !== null)
    refuse('background', 'conflict', `cannot be combined with output.kind ${given.kind}. Omit one of them.`);
  if (isMatte && isShadowed(given))
    refuse('shadow', 'conflict', `cannot be combined with output.kind ${given.kind}. Omit one of them.`);
  if (given.padding !== undefined && given.crop === undefined)
    refuse('padding', 'conflict', 'needs output.crop. Add "crop": "subject", or omit the padding.');
  if (cutout !== undefined && format === 'jpeg' && !isMatte && (given.background ?? null) === null)
    refuse(
      'background',
      'required',
      `is required for ${cutout} with jpeg, which has no transparency. Or choose another output.format.`,
    );
  return faults;
}

/** Options that only make sense for an image with transparency. */
function transparencyFaults(given: OutputDto): FieldError[] {
  const needing = {
    crop: given.crop !== undefined,
    shadow: isShadowed(given),
    kind: given.kind !== undefined && given.kind !== 'image',
    // A color has been accepted for every image from the beginning.
    background: typeof given.background === 'object' && given.background !== null,
  };
  return Object.entries(needing).flatMap(([option, isGiven]) => {
    if (!isGiven) return [];
    const field = `output.${option}`;
    const message = `${field} needs a result with transparency. Use it with bg_remove, or with a source that has transparency.`;
    return [{ field, code: 'conflict', message }];
  });
}

const isShadowed = ({ shadow }: OutputDto): boolean => shadow !== undefined && shadow !== false;
