import { t } from '@lingui/core/macro';
import { Compare } from '../../components/compare/compare.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { localPath } from '../../lib/file-path.js';
import { jobLabel } from '../../lib/steps-text.js';
import { type KeptResult, nameOf } from './kept-result.js';

export interface CompareResultsProps {
  readonly one: KeptResult;
  readonly other: KeptResult;
  readonly onClose: () => void;
}

/** Compares two results with a divider, both at the size of the larger one. */
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
      />
    </Dialog>
  );
}
