import type { Source } from 'image-enhancement-client';
import { useDeleteSource } from '../../api/uploads/sources.js';
import { ConfirmModal } from '../../components/dialogs/confirm-modal.js';
import { formatBytes } from '../../lib/format.js';

export interface DeletePhotoModalProps {
  readonly source: Source;
  readonly onClose: () => void;
}

export function DeletePhotoModal({ source, onClose }: DeletePhotoModalProps) {
  const remove = useDeleteSource();
  return (
    <ConfirmModal
      title="Delete this photo?"
      text={`It is erased at once, which frees ${formatBytes(source.bytes)} and cannot be undone. Results made from it stay; jobs that still wait for it fail.`}
      action="Delete photo"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(source.id, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
