import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { usePasskeySignIn } from '../../api/session/passkeys.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { passkeyFault, supportsPasskeys } from '../../api/session/passkey-support.js';

/** Signs in without a password, where the browser can. */
export function PasskeyButton() {
  const signIn = usePasskeySignIn();
  const fault = passkeyFault(signIn.error);
  if (!supportsPasskeys()) return null;
  return (
    <Stack gap="md" mt="md">
      {fault !== null && <ErrorState error={fault} />}
      <Button
        variant="default"
        leftSection={<IconFingerprint size={18} stroke={1.7} />}
        loading={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        {t`Sign in with a passkey`}
      </Button>
    </Stack>
  );
}
