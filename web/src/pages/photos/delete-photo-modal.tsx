import { t } from '@lingui/core/macro';
import type { SessionSource } from '../../api/schema.js';
import { useDeleteSource } from '../../api/uploads/sources.js';
import { ConfirmModal } from '../../components/dialogs/confirm-modal.js';
import { showDone } from '../../components/notices/show-done.js';
import { formatBytes } from '../../lib/format.js';

export interface DeletePhotoModalProps {
  readonly source: SessionSource;
  readonly onClose: () => void;
}

export function DeletePhotoModal({ source, onClose }: DeletePhotoModalProps) {
  const remove = useDeleteSource();
  const finish = () => {
    showDone(t`Photo deleted.`);
    onClose();
  };
  return (
    <ConfirmModal
      title={t`Delete this photo?`}
      text={t`This permanently deletes ${source.name ?? t`the photo`} and frees ${formatBytes(source.bytes)}. Its results are kept. Queued jobs that need it will fail.`}
      action={t`Delete photo`}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(source.id, { onSuccess: finish })}
      onClose={onClose}
    />
  );
}
