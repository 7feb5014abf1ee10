import type { Level } from '../api/jobs/job.js';

export interface OperationText {
  readonly text: string;
  readonly levels: Readonly<Record<Level, string>>;
}

/** What the specified operations do, in words for the person who chooses. */
const TEXTS: Readonly<Record<string, OperationText>> = {
  smooth_skin: {
    text: 'Evens skin, keeps pores, hair and everything else',
    levels: { low: 'A hint of it', medium: 'Visible and natural', high: 'Strong' },
  },
  upscale: {
    text: 'More pixels with real detail',
    levels: { low: '2 × as wide and high, fast', medium: '2 ×, best quality', high: '4 × as wide and high' },
  },
  auto_enhance: {
    text: 'Light, contrast and colour, as the photo needs it',
    levels: { low: 'A hint of it', medium: 'Balanced', high: 'Strong' },
  },
  bg_remove: {
    text: 'Cuts the subject out, with clean edges',
    levels: {
      low: 'Fast',
      medium: 'Cleaner edge colours',
      high: 'Finest edges, takes longest',
    },
  },
};

const UNKNOWN: OperationText = {
  text: 'An operation of this installation',
  levels: { low: 'Least', medium: 'Usual', high: 'Most' },
};

/** Operations that an installation adds get general words. */
export function operationText(operation: string): OperationText {
  return TEXTS[operation] ?? UNKNOWN;
}
