import type { CreateJob, Output } from '../generated/schema.js';
import { decimal, oneOf, whole } from './values.js';

/** Flags for the appearance of the result, for `parseArgs`. */
export const JOB_FLAGS = {
  strength: { type: 'string' },
  scale: { type: 'string' },
  width: { type: 'string' },
  height: { type: 'string' },
  fit: { type: 'string' },
  quality: { type: 'string' },
  background: { type: 'string' },
  'background-fit': { type: 'string' },
  crop: { type: 'string' },
  padding: { type: 'string' },
  shadow: { type: 'boolean', default: false },
  kind: { type: 'string' },
  'max-bytes': { type: 'string' },
  metadata: { type: 'string' },
  provenance: { type: 'boolean', default: false },
} as const;

type Values = { readonly [Name in Exclude<keyof typeof JOB_FLAGS, 'shadow' | 'provenance'>]?: string } & {
  readonly shadow: boolean;
  readonly provenance: boolean;
};

/** The job options from the flags. */
export interface JobOptions {
  readonly step: Pick<CreateJob, 'strength' | 'scale' | 'width' | 'height' | 'fit'>;
  /** Excludes the format and the background. */
  readonly output: Output;
  /** `#rrggbb`, or the path of a picture that has not been uploaded yet. */
  readonly background: string | undefined;
  readonly backgroundFit: 'cover' | 'contain' | undefined;
}

/** @throws UsageError */
export function readJobOptions(values: Values): JobOptions {
  const maxSide = 1_000_000;
  const step = {
    strength: decimal('--strength', values.strength, 0, 1),
    scale: whole('--scale', values.scale, 1, 8),
    width: whole('--width', values.width, 1, maxSide),
    height: whole('--height', values.height, 1, maxSide),
    fit: oneOf('--fit', values.fit, ['inside', 'cover', 'fill']),
  };
  const output = {
    quality: whole('--quality', values.quality, 1, 100),
    crop: oneOf('--crop', values.crop, ['subject']),
    padding: decimal('--padding', values.padding, 0, 0.5),
    shadow: values.shadow || undefined,
    kind: oneOf('--kind', values.kind, ['image', 'mask', 'edges']),
    maxBytes: whole('--max-bytes', values['max-bytes'], 1_000, 2_000_000_000),
    metadata: oneOf('--metadata', values.metadata, ['strip', 'keep', 'keep-no-gps']),
    provenance: values.provenance || undefined,
  };
  return {
    step: given(step),
    output: given(output),
    background: values.background,
    backgroundFit: oneOf('--background-fit', values['background-fit'], ['cover', 'contain']),
  };
}

/** Omits undefined fields. */
function given<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Fields]?: NonNullable<Fields[Name]> };
}
