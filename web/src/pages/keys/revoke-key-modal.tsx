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
      title={`Revoke ${apiKey.name}?`}
      text="Requests with this key are refused from now on. That cannot be undone; to replace a key without a gap, rotate it instead."
      action="Revoke key"
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
