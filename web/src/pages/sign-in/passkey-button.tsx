import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { usePasskeySignIn } from '../../api/session/passkeys.js';
import { supportsPasskeys } from '../../api/session/passkey-support.js';
import { PasskeyFault } from '../../components/notices/passkey-fault.js';

/** Signs in without a password, if the browser supports passkeys. */
export function PasskeyButton() {
  const signIn = usePasskeySignIn();
  if (!supportsPasskeys()) return null;
  return (
    <Stack gap="md" mt="md">
      <Button
        variant="default"
        leftSection={<IconFingerprint size={18} stroke={1.7} />}
        loading={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        {t`Sign in with a passkey`}
      </Button>
      {/* The button that had the focus was disabled during the request. */}
      <PasskeyFault error={signIn.error} takesFocus />
    </Stack>
  );
}
