import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { DeleteAccountModal } from './delete-account-modal.js';

export interface DeleteAccountProps {
  readonly email: string;
}

export function DeleteAccount({ email }: DeleteAccountProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {t`Permanently deletes this account with all its photos, results, jobs, keys and webhooks.`}
      </Text>
      <Button variant="default" c="var(--mantine-color-error)" onClick={() => setIsOpen(true)}>
        {t`Delete account…`}
      </Button>
      {isOpen && <DeleteAccountModal email={email} onClose={() => setIsOpen(false)} />}
    </>
  );
}
