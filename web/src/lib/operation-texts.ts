import type { Level } from '../api/jobs/job.js';

export interface OperationText {
  readonly text: string;
  readonly levels: Readonly<Record<Level, string>>;
}

/** What the specified operations do, in words for the person who chooses. */
const TEXTS: Readonly<Record<string, OperationText>> = {
  smooth_skin: {
    text: 'Evens out skin and keeps pores, hair and detail',
    levels: { low: 'Subtle', medium: 'Visible and natural', high: 'Strong' },
  },
  upscale: {
    text: 'More pixels with real detail',
    levels: {
      low: '2× width and height, fast',
      medium: '2× width and height, best quality',
      high: '4× width and height',
    },
  },
  auto_enhance: {
    text: 'Corrects light, contrast and color',
    levels: { low: 'Subtle', medium: 'Balanced', high: 'Strong' },
  },
  bg_remove: {
    text: 'Cuts out the subject with clean edges',
    levels: {
      low: 'Fast',
      medium: 'Cleaner edge colors',
      high: 'Finest edges, takes longest',
    },
  },
};

const UNKNOWN: OperationText = {
  text: 'A custom operation',
  levels: { low: 'Least', medium: 'Usual', high: 'Most' },
};

/** Operations that an installation adds get general words. */
export function operationText(operation: string): OperationText {
  return TEXTS[operation] ?? UNKNOWN;
}
