import { t } from '@lingui/core/macro';
import { useLeave } from '../../api/members/members.js';
import { useAccount } from '../../api/session/session.js';
import { ConfirmModal } from '../../components/dialogs/confirm-modal.js';

export interface LeaveModalProps {
  readonly onClose: () => void;
}

export function LeaveModal({ onClose }: LeaveModalProps) {
  const leave = useLeave();
  const account = useAccount();
  return (
    <ConfirmModal
      title={t`Leave ${account?.name ?? ''}?`}
      text={t`You lose access to this organization immediately. To return, you need a new invitation.`}
      action={t`Leave organization`}
      isBusy={leave.isPending || leave.isSuccess}
      error={leave.error}
      onConfirm={() => leave.mutate()}
      onClose={onClose}
    />
  );
}
