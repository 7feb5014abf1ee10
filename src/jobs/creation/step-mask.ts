import type { ApiPropertyOptions } from '@nestjs/swagger';
import { type Fault, isPlainObject, unknownMember } from '../../common/validation/checked.validator.js';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import { sourceUrlFault } from './source-url.js';

/** How far the proportions of a mask may differ from those of the image. */
const TOLERANCE = 0.01;

/** `mask` of a step of a request. */
export const MASK_SCHEMA: ApiPropertyOptions = {
  type: 'object',
  additionalProperties: false,
  required: ['sourceUrl'],
  properties: { sourceUrl: { type: 'string', format: 'uri' } },
  description:
    'Only for operations that remove the background: an upload of the account, a PNG that corrects the cutout. White keeps a pixel, black erases it, and mid-gray (128) or transparency leaves it to the model; values between do so in part. It is scaled to the image that the operation reads, whose proportions it must have.',
};

/** What is wrong with `mask`. */
export function maskFault(value: unknown): Fault | undefined {
  if (!isPlainObject(value))
    return { member: '', problem: 'must be an object with the sourceUrl of an upload' };
  const { sourceUrl } = value;
  return sourceUrlFault(sourceUrl) ?? unknownMember(value, ['sourceUrl']);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** @throws AppError `invalid_request` for a mask that would be distorted */
export function refuseOtherProportions(mask: Size, image: Size, field: string): void {
  const height = (mask.width * image.height) / image.width;
  if (Math.abs(mask.height - height) <= Math.max(1, TOLERANCE * height)) return;
  const message = `${field} has ${mask.width} × ${mask.height} pixels. A mask must have the proportions of the image, which has ${image.width} × ${image.height}.`;
  throw invalidRequest([{ field, code: 'range', message }]);
}

/** Other formats change the gray values. @throws AppError `invalid_request` */
export function refuseOtherFormats(format: string, field: string): void {
  if (format === 'png') return;
  const message = `${field} is a ${format.toUpperCase()}. A mask must be a PNG, which keeps its gray values.`;
  throw invalidRequest([{ field, code: 'format', message }]);
}
