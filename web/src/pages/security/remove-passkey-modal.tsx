import { t } from '@lingui/core/macro';
import type { Passkey } from '../../api/schema.js';
import { useRemovePasskey } from '../../api/session/passkeys.js';
import { ConfirmModal } from '../../components/dialogs/confirm-modal.js';

export interface RemovePasskeyModalProps {
  readonly passkey: Passkey;
  readonly onClose: () => void;
}

export function RemovePasskeyModal({ passkey, onClose }: RemovePasskeyModalProps) {
  const remove = useRemovePasskey();
  return (
    <ConfirmModal
      title={t`Remove ${passkey.name}?`}
      text={t`You won't be able to sign in with it anymore. Delete it from your device or password manager, too.`}
      action={t`Remove passkey`}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(passkey.id, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
