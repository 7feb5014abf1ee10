import { t } from '@lingui/core/macro';
import { useRevokeInvitation } from '../../api/members/invitations.js';
import type { Invitation } from '../../api/schema.js';
import { ConfirmModal } from '../../components/dialogs/confirm-modal.js';

export interface RevokeInvitationModalProps {
  readonly invitation: Invitation;
  readonly onClose: () => void;
}

export function RevokeInvitationModal({ invitation, onClose }: RevokeInvitationModalProps) {
  const revoke = useRevokeInvitation(invitation.id);
  return (
    <ConfirmModal
      title={t`Revoke the invitation of ${invitation.email}?`}
      text={t`The link stops working immediately. You can invite the same address again.`}
      action={t`Revoke invitation`}
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
