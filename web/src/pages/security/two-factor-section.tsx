import { plural, t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useDisableTwoFactor, useReplaceRecoveryCodes, useTwoFactor } from '../../api/session/two-factor.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Loading } from '../../components/notices/loading.js';
import { Notice } from '../../components/notices/notice.js';
import { StatusBadge } from '../../components/status/status-badge.js';
import { formatDay } from '../../lib/format.js';
import { PasswordForm } from './password-form.js';
import { RecoveryCodeList } from './recovery-code-list.js';
import { TwoFactorSetupModal } from './two-factor-setup-modal.js';

/** With fewer recovery codes, the page suggests new ones. */
const FEW_CODES = 3;

type Open = 'setup' | 'codes' | 'disable' | null;

/** The state of two-factor authentication, and the available changes. */
export function TwoFactorSection() {
  const [open, setOpen] = useState<Open>(null);
  const status = useTwoFactor();
  const close = () => setOpen(null);
  if (status.isPending) return <Loading height={72} />;
  // The dialogs stay rendered when a refresh fails: they show secrets and recovery codes only once.
  if (status.isLoadingError) return <ErrorState error={status.error} onRetry={() => void status.refetch()} />;
  const { enabled, enabledAt, recoveryCodesLeft: left } = status.data;
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t`After the password, sign-in asks for a code from your authenticator app.`}
      </Text>
      {enabled && enabledAt !== null && (
        <Group gap="sm">
          <StatusBadge tone="good" label={t`On`} />
          <Text size="sm">
            {t`since ${formatDay(enabledAt)}`} ·{' '}
            {plural(left, { one: '# recovery code left', other: '# recovery codes left' })}
          </Text>
        </Group>
      )}
      {enabled && left < FEW_CODES && (
        <Notice tone="warn" title={t`Few recovery codes left`}>
          {t`Without your app and without recovery codes you can't sign in. Create new ones.`}
        </Notice>
      )}
      <Group gap="sm">
        {!enabled && <Button onClick={() => setOpen('setup')}>{t`Set up…`}</Button>}
        {enabled && (
          <>
            <Button variant="default" onClick={() => setOpen('codes')}>
              {t`New recovery codes…`}
            </Button>
            <Button variant="default" c="var(--mantine-color-error)" onClick={() => setOpen('disable')}>
              {t`Turn off…`}
            </Button>
          </>
        )}
      </Group>
      {open === 'setup' && <TwoFactorSetupModal onClose={close} />}
      {open === 'codes' && <NewCodesModal onClose={close} />}
      {open === 'disable' && <DisableModal onClose={close} />}
    </Stack>
  );
}

interface ModalProps {
  readonly onClose: () => void;
}

function NewCodesModal({ onClose }: ModalProps) {
  const replace = useReplaceRecoveryCodes();
  return (
    <Dialog
      onClose={onClose}
      title={replace.isSuccess ? t`Your recovery codes` : t`Create new recovery codes?`}
      isPrecious={replace.isSuccess}
    >
      {replace.isSuccess ? (
        <RecoveryCodeList codes={replace.data.codes} onDone={onClose} />
      ) : (
        <PasswordForm
          text={t`The codes you have now stop working.`}
          action={t`Create codes`}
          isBusy={replace.isPending}
          error={replace.error}
          onSubmit={(password) => replace.mutate({ password })}
          onCancel={onClose}
        />
      )}
    </Dialog>
  );
}

function DisableModal({ onClose }: ModalProps) {
  const disable = useDisableTwoFactor();
  return (
    <Dialog onClose={onClose} title={t`Turn off two-factor authentication?`}>
      <PasswordForm
        text={t`You'll then sign in with only your password, and your recovery codes will stop working.`}
        action={t`Turn off`}
        isDangerous
        isBusy={disable.isPending}
        error={disable.error}
        onSubmit={(password) => disable.mutate({ password }, { onSuccess: onClose })}
        onCancel={onClose}
      />
    </Dialog>
  );
}
