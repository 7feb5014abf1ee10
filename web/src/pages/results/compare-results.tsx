import { t } from '@lingui/core/macro';
import { isReframed } from '../../api/jobs/job.js';
import { Compare } from '../../components/compare/compare.js';
import type { Size } from '../../components/compare/view.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { localPath } from '../../lib/file-path.js';
import { jobLabel } from '../../lib/steps-text.js';
import { type KeptResult, nameOf } from './kept-result.js';

export interface CompareResultsProps {
  readonly one: KeptResult;
  readonly other: KeptResult;
  readonly onClose: () => void;
}

/** Relative. Sizes are rounded to whole pixels. */
const PROPORTIONS_TOLERANCE = 0.01;

/** Compares two results: with a divider, both at the size of the larger one, if their pixels coincide. */
export function CompareResults({ one, other, onClose }: CompareResultsProps) {
  const size = one.result.width * one.result.height > other.result.width * other.result.height ? one : other;
  const isSamePhoto = nameOf(one) === nameOf(other);
  const [left, right] = [one, other].map((job) =>
    isSamePhoto ? jobLabel(job.operations) : `${nameOf(job)}: ${jobLabel(job.operations)}`,
  );
  return (
    <Dialog
      title={isSamePhoto ? t`Compare two results of ${nameOf(one)}` : t`Compare two results`}
      size="70rem"
      onClose={onClose}
    >
      <Compare
        beforeUrl={localPath(one.resultUrl)}
        afterUrl={localPath(other.resultUrl)}
        beforeLabel={left ?? ''}
        afterLabel={right ?? ''}
        size={size.result}
        alt={t`two results`}
        isApart={isReframed(one) || isReframed(other) || !hasSameProportions(one.result, other.result)}
      />
    </Dialog>
  );
}

function hasSameProportions(one: Size, other: Size): boolean {
  const ratio = (one.width * other.height) / (one.height * other.width);
  return Math.abs(ratio - 1) < PROPORTIONS_TOLERANCE;
}
