import { t } from '@lingui/core/macro';
import { codeText, type ProblemText } from '../../../../api/problem-texts.js';
import type { ResultDifference, VersionComparison } from '../../../../api/operator/schema.js';
import { formatDecimal, formatPrecisePercent } from '../../../../lib/format.js';
import { stepOptions } from '../../../../lib/steps-text.js';

/** `1.2% of full scale, PSNR 34.1 dB`, `3.4% of the shape (100 − IoU)`, or a text for no difference. */
export function differenceText({ measure, percent, psnrDb }: ResultDifference): string {
  const share = formatPrecisePercent(percent / 100);
  if (measure === 'matte') return percent === 0 ? t`Equal shapes` : t`${share} of the shape (100 − IoU)`;
  if (psnrDb === null) return t`Equal`;
  // A nonbreaking space keeps the unit with its number.
  const psnr = `${formatDecimal(psnrDb, 1)}\u00A0dB`;
  return t`${share} of full scale, PSNR ${psnr}`;
}

/** `Level: medium` */
export function levelText({ operation, level }: Pick<VersionComparison, 'operation' | 'level'>): string {
  const amount = stepOptions({ operation, level });
  return t`Level: ${amount}`;
}

/** The text for a version that returned no result for the photo: `No subject found`, with an explanation. */
export function refusalText(code: string): ProblemText {
  return codeText(code) ?? { title: code, detail: '' };
}
