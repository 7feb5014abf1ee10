import { t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { useRenewInvitation } from '../../api/members/invitations.js';
import type { Invitation } from '../../api/schema.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { DialogButtons } from '../../components/dialogs/dialog-buttons.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { LinkShown } from './link-shown.js';

export interface RenewInvitationModalProps {
  readonly invitation: Invitation;
  readonly onClose: () => void;
}

/** Asks for confirmation, because the earlier link stops working, and then shows the new link. */
export function RenewInvitationModal({ invitation, onClose }: RenewInvitationModalProps) {
  const renew = useRenewInvitation(invitation.id);
  return (
    <Dialog onClose={onClose} title={t`New link for ${invitation.email}`} isPrecious={renew.isSuccess}>
      {renew.isSuccess ? (
        <LinkShown link={renew.data} onDone={onClose} />
      ) : (
        <Stack gap="md">
          {renew.error !== null && <ErrorState error={renew.error} />}
          <Text size="sm">
            {t`Links are shown only once. This creates a new link that works for 7 days. The earlier link stops working.`}
          </Text>
          <DialogButtons
            action={t`Create new link`}
            isBusy={renew.isPending}
            onConfirm={() => renew.mutate()}
            onCancel={onClose}
            startsAtCancel
          />
        </Stack>
      )}
    </Dialog>
  );
}
