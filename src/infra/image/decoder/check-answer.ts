import { AppError } from '../../../kernel/app-error.js';
import { IMAGE_FORMATS } from '../../../kernel/operations.js';
import type { PixelShape } from '../../../kernel/pixels.js';
import type { ImageHeader } from '../containers/image-header.js';
import { isImageRefusal } from '../codec/refusals.js';
import type { DecoderResponse } from './decoder-protocol.js';
import { DecoderLost } from './decoder-process.js';

const MAX_DETAIL_LENGTH = 1_000;
const DISK_FAULT_CODES = ['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'EROFS', 'ESTALE'] as const;

/** Unchecked answers. */
type Unchecked = { readonly [Name in string]?: unknown };

/**
 * The header in an answer, of right types and within sane bounds.
 * @throws AppError when the file was refused; DecoderLost `unsound` for anything else
 */
export function checkedHeader(answer: DecoderResponse): ImageHeader {
  if (answer.kind !== 'header') throw refusalOf(answer);
  const header = Object(answer.header) as Unchecked;
  const { width, height, hasAlpha, decodingBytes } = header;
  const format = IMAGE_FORMATS.find((known) => known === header['format']);
  const isSound =
    isCount(width) && isCount(height) && isCount(decodingBytes) && typeof hasAlpha === 'boolean';
  if (format === undefined || !isSound) throw unsound('a header');
  return { format, width, height, hasAlpha, decodingBytes };
}

/**
 * The shape of the pixels in an answer.
 * @throws AppError when the file was refused; an error with the system's code when the disk is at fault;
 * DecoderLost `unsound` for anything else
 */
export function checkedShape(answer: DecoderResponse): PixelShape {
  if (answer.kind !== 'decoded') throw refusalOf(answer);
  const { width, height, channels } = answer as Unchecked;
  if (!isCount(width) || !isCount(height) || (channels !== 3 && channels !== 4)) throw unsound('a shape');
  return { width, height, channels };
}

function refusalOf(answer: DecoderResponse): Error {
  const { kind, code, detail, internal } = answer as Unchecked;
  if (kind === 'disk-fault') {
    const known = DISK_FAULT_CODES.find((name) => name === code);
    if (known !== undefined)
      return Object.assign(new Error(`${known}: the decoder could not write pixels`), { code: known });
  }
  if (kind !== 'refused' || typeof code !== 'string') return unsound(`the answer ${String(kind)}`);
  const refusal = new AppError(code as AppError['code'], {
    detail: String(detail).slice(0, MAX_DETAIL_LENGTH),
    internal: String(internal).slice(0, MAX_DETAIL_LENGTH),
  });
  return isImageRefusal(refusal) ? refusal : unsound(`the refusal ${code.slice(0, 50)}`);
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

function unsound(what: string): DecoderLost {
  return new DecoderLost('unsound', `gave ${what} that makes no sense`);
}
