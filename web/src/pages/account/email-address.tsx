import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ChangeEmailModal } from './change-email-modal.js';

export interface EmailAddressProps {
  readonly email: string;
  /** Whether the service sends mail. Without it, only the operator can change an address. */
  readonly sendsMail: boolean;
  readonly isReadOnly: boolean;
}

/** The user's email address, and the button that changes it. */
export function EmailAddress({ email, sendsMail, isReadOnly }: EmailAddressProps) {
  const [isChanging, setIsChanging] = useState(false);
  return (
    <Stack gap={6}>
      <Group gap="xs" wrap="wrap">
        <Text size="sm" style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
          {email}
        </Text>
        {sendsMail && !isReadOnly && (
          <Button variant="transparent" size="compact-sm" px={0} onClick={() => setIsChanging(true)}>
            {t`Change…`}
          </Button>
        )}
      </Group>
      {!sendsMail && !isReadOnly && (
        <Text size="sm" c="dimmed">
          {t`To change it, ask the operator of this service.`}
        </Text>
      )}
      {isChanging && <ChangeEmailModal onClose={() => setIsChanging(false)} />}
    </Stack>
  );
}
