import { t } from '@lingui/core/macro';
import type { Level } from '../api/jobs/job.js';

export interface OperationText {
  readonly text: string;
  readonly levels: Readonly<Record<Level, string>>;
}

/** Descriptions of the built-in operations. */
const TEXTS: Readonly<Record<string, OperationText>> = {
  smooth_skin: {
    text: t`Evens out skin and keeps pores, hair and detail`,
    levels: { low: t`Subtle`, medium: t`Visible and natural`, high: t`Strong` },
  },
  upscale: {
    text: t`More pixels with real detail`,
    levels: {
      low: t`2× width and height, fast`,
      medium: t`2× width and height, best quality`,
      high: t`4× width and height`,
    },
  },
  auto_enhance: {
    text: t`Corrects light, contrast and color`,
    levels: { low: t`Subtle`, medium: t`Balanced`, high: t`Strong` },
  },
  bg_remove: {
    text: t`Cuts out the subject with clean edges`,
    levels: {
      low: t`Fast`,
      medium: t`Cleaner edge colors`,
      high: t`Finest edges, slowest`,
    },
  },
};

const UNKNOWN: OperationText = {
  text: t`A custom operation`,
  levels: { low: t`Minimal`, medium: t`Standard`, high: t`Maximum` },
};

/** The texts of an operation. Custom operations get generic texts. */
export function operationText(operation: string): OperationText {
  return TEXTS[operation] ?? UNKNOWN;
}
