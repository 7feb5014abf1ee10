import type { ApiPropertyOptions } from '@nestjs/swagger';
import {
  BACKGROUND_FITS,
  DEFAULT_SHADOW,
  MAX_SHADOW_BLUR,
  MAX_SHADOW_OFFSET,
} from '../../../kernel/output-options.js';

/** `output.background` of a request. */
export const BACKGROUND_SCHEMA: ApiPropertyOptions = {
  oneOf: [
    { type: 'string', pattern: '^#[0-9a-fA-F]{6}$' },
    {
      type: 'object',
      additionalProperties: false,
      required: ['sourceUrl'],
      properties: {
        sourceUrl: { type: 'string', format: 'uri' },
        fit: { type: 'string', enum: [...BACKGROUND_FITS], default: 'cover' },
      },
    },
    { type: 'null' },
  ],
  description:
    'Replaces transparency: a color like `#ffffff`, or another upload of the account (`cover` fills the result, `contain` shows the whole picture with transparent bars). Needed for `bg_remove` with `jpeg`.',
};

const offset = { type: 'number', minimum: -MAX_SHADOW_OFFSET, maximum: MAX_SHADOW_OFFSET } as const;

/** `output.shadow` of a request. */
export const SHADOW_SCHEMA: ApiPropertyOptions = {
  oneOf: [
    { type: 'boolean' },
    {
      type: 'object',
      additionalProperties: false,
      properties: {
        opacity: { type: 'number', minimum: 0, maximum: 1, default: DEFAULT_SHADOW.opacity },
        blur: { type: 'number', minimum: 0, maximum: MAX_SHADOW_BLUR, default: DEFAULT_SHADOW.blur },
        offsetX: { ...offset, default: DEFAULT_SHADOW.offsetX },
        offsetY: { ...offset, default: DEFAULT_SHADOW.offsetY },
      },
    },
  ],
  description:
    'A soft black shadow of the subject. `blur` (a standard deviation) and the offsets are shares of the longer side of the subject. Needs a result with transparency.',
};
