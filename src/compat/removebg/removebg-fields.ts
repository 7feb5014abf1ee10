import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { AppError } from '../../kernel/app-error.js';
import type { ImageFormat } from '../../kernel/operations.js';
import type { OutputDto } from '../../jobs/creation/output/output.dto.js';
import { opaqueColor } from '../colors.js';
import { type Fault, FieldReader } from './field-reader.js';

/** Fields of a request as text, whatever its content type. */
export type Fields = ReadonlyMap<string, string>;

/** Formats by their names at remove.bg. */
const FORMATS: Readonly<Record<string, ImageFormat | null>> = {
  auto: null,
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  webp: 'webp',
};

/** Fields that change the picture, with the values that have no effect. Other values are rejected. */
const UNCHANGING: ReadonlyMap<string, RegExp> = new Map([
  // Even `100%` moves the subject: any scale implies `position=center`.
  ['scale', /^original$/i],
  ['position', /^original$/i],
  ['roi', /^(0(px|%)? 0(px|%)? 100% 100%)$/i],
]);

/** Hints for remove.bg's own models, and sizes: results always have the size of the photo. */
const HINTS: ReadonlySet<string> = new Set(['size', 'type', 'type_level', 'semitransparency']);
const READ: ReadonlySet<string> = new Set([
  'bg_color',
  'bg_image_url',
  'format',
  'crop',
  'crop_margin',
  'channels',
  'add_shadow',
  'shadow_type',
  'shadow_opacity',
]);
const SOURCES: ReadonlySet<string> = new Set(['image_file', 'image_url', 'image_file_b64']);

/** Omits fields that a client leaves empty. Some clients send the word `undefined` for them. */
export function givenFields(entries: Iterable<readonly [string, unknown]>): Fields {
  const given = [...entries].flatMap(([name, value]) => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
    const text = String(value);
    return ['', 'undefined', 'null'].includes(text) ? [] : [[name, text] as const];
  });
  return new Map(given);
}

/**
 * Converts the fields to output options.
 * @throws AppError `invalid_request`; the code of each error is one of remove.bg's, or follows its style
 */
export function outputOf(fields: Fields): OutputDto {
  const faults = [...fields.keys()].flatMap((name) => faultOf(name, fields.get(name)!));
  const reader = new FieldReader(fields, faults);
  const isMask = reader.choice('channels', { rgba: false, alpha: true }) ?? false;
  const named = reader.choice('format', FORMATS);
  const isPicture = reader.pictureUrl(isMask) !== undefined;
  const background = isMask ? null : isPicture ? BEHIND_PICTURE : backgroundOf(reader);
  const extras = { ...(isMask ? reader.mask() : reader.shadow()), ...reader.crop() };
  if (faults.length > 0) throw refused(faults);
  const format = named ?? (background === null ? 'png' : 'jpeg');
  // As at remove.bg, a JPEG without a color gets a white background instead of transparency.
  const behind = background ?? (format === 'jpeg' && !isMask ? '#ffffff' : null);
  return { format, background: behind, ...extras };
}

/** Placeholder color. The picture of `bg_image_url` covers it. */
const BEHIND_PICTURE = '#ffffff';

function backgroundOf(reader: FieldReader): string | null {
  const color = reader.text('bg_color');
  const background = color === undefined ? null : opaqueColor(color);
  if (background !== undefined) return background;
  reader.refuse('bg_color', 'bg_color must be an opaque hex color such as 81d4fa, or a basic color name.');
  return null;
}

function faultOf(name: string, value: string): Fault[] {
  if (HINTS.has(name) || READ.has(name) || SOURCES.has(name)) return [];
  const unchanging = UNCHANGING.get(name);
  if (unchanging === undefined) return [[name.slice(0, 60), `${name.slice(0, 60)} is not a known field.`]];
  if (unchanging.test(value)) return [];
  return [[name, `${name}=${value.slice(0, 60)} is not supported by this service. Leave it out.`]];
}

function refused(faults: readonly Fault[]): AppError {
  return invalidRequest(faults.map(([field, message]) => ({ field, code: `invalid_${field}`, message })));
}
