import { t } from '@lingui/core/macro';
import { useRemoveMember } from '../../api/members/members.js';
import type { Member } from '../../api/schema.js';
import { ConfirmModal } from '../../components/dialogs/confirm-modal.js';

export interface RemoveMemberModalProps {
  readonly member: Member;
  readonly onClose: () => void;
}

export function RemoveMemberModal({ member, onClose }: RemoveMemberModalProps) {
  const remove = useRemoveMember(member.userId);
  return (
    <ConfirmModal
      title={t`Remove ${member.email}?`}
      text={t`They lose access to this organization immediately, and their invitations are revoked. API keys they created keep working. Revoke the ones they know.`}
      action={t`Remove member`}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
