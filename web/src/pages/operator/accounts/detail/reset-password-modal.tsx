import { t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { useResetPassword } from '../../../../api/operator/accounts.js';
import type { ConsoleAccountDetail } from '../../../../api/operator/schema.js';
import { Dialog } from '../../../../components/dialogs/dialog.js';
import { DialogButtons } from '../../../../components/dialogs/dialog-buttons.js';
import { ErrorState } from '../../../../components/notices/error-state.js';
import { SecretShown } from '../../../../components/text/secret-shown.js';
import { formatDateTime } from '../../../../lib/format.js';

export interface ResetPasswordModalProps {
  readonly account: ConsoleAccountDetail;
  readonly onClose: () => void;
}

/** Asks for confirmation, then shows the temporary password, which cannot be shown again. */
export function ResetPasswordModal({ account, onClose }: ResetPasswordModalProps) {
  const reset = useResetPassword(account.id);
  return (
    <Dialog onClose={onClose} title={t`Reset the password of ${account.name}`} isPrecious={reset.isSuccess}>
      {reset.isSuccess ? (
        <SecretShown secret={reset.data.password} kind="password" onDone={onClose}>
          <Text size="sm">
            {t`It works until ${formatDateTime(reset.data.expiresAt)}. The customer signs in with it and sets a new password on the account page.`}
          </Text>
        </SecretShown>
      ) : (
        <Stack gap="md">
          {reset.error !== null && <ErrorState error={reset.error} />}
          <Text size="sm">
            {t`The current password stops working, and every session ends. You get a temporary password that works for 24 hours.`}
          </Text>
          <DialogButtons
            action={t`Reset password`}
            isDangerous
            isBusy={reset.isPending}
            onConfirm={() => reset.mutate()}
            onCancel={onClose}
            startsAtCancel
          />
        </Stack>
      )}
    </Dialog>
  );
}
