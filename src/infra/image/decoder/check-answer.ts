import { AppError } from '../../../kernel/app-error.js';
import { IMAGE_FORMATS } from '../../../kernel/operations.js';
import type { PixelShape } from '../../../kernel/pixels.js';
import type { ImageHeader } from '../containers/image-header.js';
import { isImageRefusal } from '../codec/refusals.js';
import { diskFaultOf } from '../process/disk-fault-answer.js';
import type { UncheckedAnswer } from '../process/image-process-protocol.js';
import { ImageProcessLost } from '../process/image-process.js';

const MAX_DETAIL_LENGTH = 1_000;

/** The unchecked parts of a response. */
type Unchecked = { readonly [Name in string]?: unknown };

/**
 * Validates the header in a response: correct types and plausible values.
 * @throws AppError when the file was refused; ImageProcessLost `deadline` when it took too long, `unsound` for
 * anything else
 */
export function checkedHeader(answer: UncheckedAnswer): ImageHeader {
  // Its thread goes on reading, so the process cannot be used any longer.
  if (answer.kind === 'slow-header') throw new ImageProcessLost('deadline', 'took too long for a header');
  if (answer.kind !== 'header') throw refusalOf(answer);
  const header = Object(answer['header']) as Unchecked;
  const { width, height, hasAlpha, decodingBytes } = header;
  const format = IMAGE_FORMATS.find((known) => known === header['format']);
  const isSound =
    isCount(width) && isCount(height) && isCount(decodingBytes) && typeof hasAlpha === 'boolean';
  if (format === undefined || !isSound) throw unsound('an invalid header');
  return { format, width, height, hasAlpha, decodingBytes };
}

/**
 * Validates the shape of the pixels in a response.
 * @throws AppError when the file was refused; an error with the system's code when the disk failed;
 * ImageProcessLost `unsound` for anything else
 */
export function checkedShape(answer: UncheckedAnswer): PixelShape {
  if (answer.kind !== 'decoded') throw refusalOf(answer);
  const { width, height, channels } = answer as Unchecked;
  if (!isCount(width) || !isCount(height) || (channels !== 3 && channels !== 4))
    throw unsound('an invalid shape');
  return { width, height, channels };
}

function refusalOf(answer: UncheckedAnswer): Error {
  const { kind, code, detail, internal } = answer as Unchecked;
  const diskFault = diskFaultOf(answer);
  if (diskFault !== undefined) return diskFault;
  if (kind !== 'refused' || typeof code !== 'string') return unsound(`the invalid answer ${String(kind)}`);
  const refusal = new AppError(code as AppError['code'], {
    detail: String(detail).slice(0, MAX_DETAIL_LENGTH),
    internal: String(internal).slice(0, MAX_DETAIL_LENGTH),
  });
  return isImageRefusal(refusal) ? refusal : unsound(`the invalid refusal ${code.slice(0, 50)}`);
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

function unsound(what: string): ImageProcessLost {
  return new ImageProcessLost('unsound', `sent ${what}`);
}
