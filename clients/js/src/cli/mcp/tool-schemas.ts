/** JSON Schema of a tool's arguments. */
export interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

const LEVEL = { type: 'string', enum: ['low', 'medium', 'high'] };
const OPERATION = {
  type: 'string',
  description: 'smooth_skin, upscale, auto_enhance, bg_remove, or another one that list_models names.',
};

/** What to do with an image. These properties are sent to the service; those of `output` over those of a preset. */
export const ORDER_PROPERTIES = {
  operation: OPERATION,
  level: { ...LEVEL, description: 'How strong. upscale: low and medium enlarge twice, high four times.' },
  operations: {
    type: 'array',
    minItems: 1,
    maxItems: 6,
    description: 'Several operations instead of one, each on the result of the one before.',
    items: {
      type: 'object',
      properties: { operation: OPERATION, level: LEVEL },
      required: ['operation'],
    },
  },
  preset: { type: 'string', description: 'The name of a preset (list_presets) instead of operations.' },
  output: {
    type: 'object',
    description: 'The result file. With a preset, changes only what it names of the output of the preset.',
    properties: {
      format: { type: 'string', enum: ['jpeg', 'png', 'webp', 'avif'] },
      quality: { type: 'integer', minimum: 1, maximum: 100 },
      background: { type: 'string', description: 'A color in place of transparency, such as #ffffff.' },
      crop: { type: 'string', enum: ['subject'] },
      maxBytes: { type: 'integer', minimum: 1000 },
    },
  },
} as const;

const IDEMPOTENCY_KEY = {
  type: 'string',
  description:
    'Only to repeat a call: the key that its error gave. What that call created is continued, and not charged again. The other arguments must be the same, and a preset must be unchanged.',
};

const IMAGE = 'Path in an allowed folder, or URL of an image on the web.';

export const ENHANCE_INPUT: InputSchema = {
  type: 'object',
  properties: {
    image: { type: 'string', description: IMAGE },
    ...ORDER_PROPERTIES,
    saveTo: {
      type: 'string',
      description:
        'Path for the result, whose extension is the format. Without it, the result is returned as an image.',
    },
    overwrite: { type: 'boolean', description: 'Whether saveTo may replace a file.' },
    idempotencyKey: IDEMPOTENCY_KEY,
  },
  required: ['image'],
  additionalProperties: false,
};

export const BATCH_INPUT: InputSchema = {
  type: 'object',
  properties: {
    images: { type: 'array', items: { type: 'string', description: IMAGE }, minItems: 1, maxItems: 1000 },
    ...ORDER_PROPERTIES,
    idempotencyKey: IDEMPOTENCY_KEY,
  },
  required: ['images'],
  additionalProperties: false,
};

export const STATUS_INPUT: InputSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'A job (job_…) or a batch (bat_…).' },
    waitSeconds: {
      type: 'integer',
      minimum: 0,
      maximum: 600,
      description: 'Wait for its end for at most this long. Default: answer at once.',
    },
    saveTo: {
      type: 'string',
      description:
        'Folder for the results that are completed, such as 0000-job_….upscale.png. Existing files are kept.',
    },
  },
  required: ['id'],
  additionalProperties: false,
};

export const NO_INPUT: InputSchema = { type: 'object', properties: {}, additionalProperties: false };
