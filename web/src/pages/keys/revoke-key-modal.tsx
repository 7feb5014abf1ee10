import { t } from '@lingui/core/macro';
import { useRevokeKey } from '../../api/keys/keys.js';
import type { Key } from '../../api/schema.js';
import { ConfirmModal } from '../../components/dialogs/confirm-modal.js';

export interface RevokeKeyModalProps {
  readonly apiKey: Key;
  readonly onClose: () => void;
}

export function RevokeKeyModal({ apiKey, onClose }: RevokeKeyModalProps) {
  const revoke = useRevokeKey(apiKey.id);
  return (
    <ConfirmModal
      title={t`Revoke ${apiKey.name}?`}
      text={t`Requests with this key will be refused immediately. This can't be undone. To replace a key without downtime, rotate it instead.`}
      action={t`Revoke key`}
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
