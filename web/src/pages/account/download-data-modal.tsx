import { t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useDataDownload } from '../../api/session/data-download.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { DialogButtons } from '../../components/dialogs/dialog-buttons.js';
import { CurrentPasswordField, wrongPassword } from '../../components/fields/current-password-field.js';
import { ErrorState } from '../../components/notices/error-state.js';

export interface DownloadDataModalProps {
  readonly onStarted: () => void;
  readonly onClose: () => void;
}

/** Asks for the password, then starts the download. */
export function DownloadDataModal({ onStarted, onClose }: DownloadDataModalProps) {
  const [password, setPassword] = useState('');
  const download = useDataDownload();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    download.mutate({ password }, { onSuccess: onStarted });
  };
  return (
    <Dialog onClose={onClose} title={t`Download your data?`}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {download.error !== null && wrongPassword(download.error) === undefined && (
            <ErrorState error={download.error} />
          )}
          <Text size="sm">
            {t`The file contains personal data, such as the email addresses of members. Keep it in a safe place.`}
          </Text>
          <CurrentPasswordField value={password} error={download.error} onChange={setPassword} isFirst />
          <DialogButtons
            action={t`Download`}
            isBusy={download.isPending}
            isDisabled={password === ''}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}
