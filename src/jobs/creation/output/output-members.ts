import { type Fault, isPlainObject, unknownMember } from '../../../common/validation/checked.validator.js';
import {
  BACKGROUND_FITS,
  DEFAULT_SHADOW,
  MAX_SHADOW_BLUR,
  MAX_SHADOW_OFFSET,
  type Shadow,
} from '../../../kernel/output-options.js';
import { sourceUrlFault } from '../source-url.js';

/** `#rrggbb`. */
export const COLOR = /^#[0-9a-fA-F]{6}$/;

/** What is wrong with `output.background`: a color, or a picture. */
export function backgroundFault(value: unknown): Fault | undefined {
  if (typeof value === 'string' && COLOR.test(value)) return undefined;
  if (!isPlainObject(value))
    return {
      member: '',
      problem: 'must be a color like #rrggbb, or an object with the sourceUrl of an upload',
    };
  const { sourceUrl, fit } = value;
  const fault = sourceUrlFault(sourceUrl);
  if (fault !== undefined) return fault;
  if (fit !== undefined && !BACKGROUND_FITS.some((known) => known === fit))
    return { member: 'fit', problem: `must be ${BACKGROUND_FITS.join(' or ')}` };
  return unknownMember(value, ['sourceUrl', 'fit']);
}

const SHADOW_RANGES: Readonly<Record<keyof Shadow, readonly [number, number]>> = {
  opacity: [0, 1],
  blur: [0, MAX_SHADOW_BLUR],
  offsetX: [-MAX_SHADOW_OFFSET, MAX_SHADOW_OFFSET],
  offsetY: [-MAX_SHADOW_OFFSET, MAX_SHADOW_OFFSET],
};

/** What is wrong with `output.shadow`: a boolean, or an object of numbers. */
export function shadowFault(value: unknown): Fault | undefined {
  if (typeof value === 'boolean') return undefined;
  if (!isPlainObject(value))
    return {
      member: '',
      problem: `must be true, or an object with ${Object.keys(SHADOW_RANGES).join(', ')}`,
    };
  for (const [member, [min, max]] of Object.entries(SHADOW_RANGES)) {
    const given = value[member];
    const isFine = given === undefined || (typeof given === 'number' && given >= min && given <= max);
    if (!isFine) return { member, problem: `must be a number from ${min} to ${max}` };
  }
  return unknownMember(value, Object.keys(SHADOW_RANGES));
}

/** The shadow that a request asks for, with its defaults; undefined without one. */
export function shadowOf(given: boolean | Partial<Shadow> | undefined): Shadow | undefined {
  if (given === undefined || given === false) return undefined;
  const { opacity, blur, offsetX, offsetY } = { ...DEFAULT_SHADOW, ...(given === true ? {} : given) };
  return { opacity, blur, offsetX, offsetY };
}
