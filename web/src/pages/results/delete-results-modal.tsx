import { plural, t } from '@lingui/core/macro';
import { isErasedOnceRead } from '../../api/jobs/job.js';
import { useDeleteJobs } from '../../api/jobs/job-actions.js';
import { ConfirmModal } from '../../components/dialogs/confirm-modal.js';
import { showDone } from '../../components/notices/show-done.js';
import { formatBytes } from '../../lib/format.js';
import type { KeptResult } from './kept-result.js';

export interface DeleteResultsModalProps {
  readonly results: readonly KeptResult[];
  readonly onClose: () => void;
}

/** Deletes results. Deleted ones leave the list, so that a retry deletes the remaining ones. */
export function DeleteResultsModal({ results, onClose }: DeleteResultsModalProps) {
  const remove = useDeleteJobs((deleted) =>
    showDone(plural(deleted, { one: '# result deleted.', other: '# results deleted.' })),
  );
  const count = plural(results.length, { one: '# result', other: '# results' });
  const bytes = results.reduce((sum, { result }) => sum + result.bytes, 0);
  return (
    <ConfirmModal
      title={t`Delete ${count}?`}
      text={
        results.some(isErasedOnceRead)
          ? t`This permanently deletes ${count} with their jobs and frees at least ${formatBytes(bytes)}. Photos of results that are deleted after their download are deleted, too. The other photos are kept.`
          : t`This permanently deletes ${count} with their jobs and frees ${formatBytes(bytes)}. The photos are kept.`
      }
      action={t`Delete ${count}`}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          results.map(({ id }) => id),
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    />
  );
}
