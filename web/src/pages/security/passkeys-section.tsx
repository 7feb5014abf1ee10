import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Passkey } from '../../api/schema.js';
import { usePasskeys } from '../../api/session/passkeys.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Loading } from '../../components/notices/loading.js';
import { Notice } from '../../components/notices/notice.js';
import { PlainList, PlainRow } from '../../components/pages/plain-list.js';
import { RelativeTime } from '../../components/times/relative-time.js';
import { formatDay } from '../../lib/format.js';
import { supportsPasskeys } from '../../api/session/passkey-support.js';
import { AddPasskeyModal } from './add-passkey-modal.js';
import { RemovePasskeyModal } from './remove-passkey-modal.js';
import { RenamePasskeyModal } from './rename-passkey-modal.js';

/** The passkeys of the user. */
export function PasskeysSection() {
  const [isAdding, setIsAdding] = useState(false);
  const passkeys = usePasskeys();
  const list = passkeys.data?.data ?? [];
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t`Sign in with your fingerprint, face, screen lock or security key. A passkey replaces the password and the code.`}
      </Text>
      {passkeys.isPending && <Loading height={56} />}
      {passkeys.isError && <ErrorState error={passkeys.error} onRetry={() => void passkeys.refetch()} />}
      {list.length > 0 && (
        <PlainList label={t`Passkeys`}>
          {list.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </PlainList>
      )}
      {supportsPasskeys() ? (
        <div>
          <Button variant={list.length === 0 ? 'filled' : 'default'} onClick={() => setIsAdding(true)}>
            {t`Add a passkey…`}
          </Button>
        </div>
      ) : (
        <Notice tone="info">
          {t`Passkeys aren't available at this address. Open the dashboard over HTTPS with a host name.`}
        </Notice>
      )}
      {isAdding && <AddPasskeyModal onClose={() => setIsAdding(false)} />}
    </Stack>
  );
}

function PasskeyRow({ passkey }: { readonly passkey: Passkey }) {
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const { name, host, createdAt, lastUsedAt } = passkey;
  const close = () => setOpen(null);
  return (
    <PlainRow
      actions={
        <Group gap={4} wrap="nowrap">
          <Button
            variant="subtle"
            size="compact-sm"
            aria-label={t`Rename ${name}`}
            onClick={() => setOpen('rename')}
          >
            {t`Rename`}
          </Button>
          <Button
            variant="subtle"
            size="compact-sm"
            c="var(--mantine-color-error)"
            aria-label={t`Remove ${name}`}
            onClick={() => setOpen('remove')}
          >
            {t`Remove`}
          </Button>
        </Group>
      }
    >
      <Text fw={500}>{name}</Text>
      <Text size="sm" c="dimmed">
        {host !== window.location.hostname && <>{host} · </>}
        {t`added ${formatDay(createdAt)}`} ·{' '}
        {lastUsedAt === null ? (
          t`never used`
        ) : (
          <>
            {t`last used`} <RelativeTime iso={lastUsedAt} />
          </>
        )}
      </Text>

      {open === 'rename' && <RenamePasskeyModal passkey={passkey} onClose={close} />}
      {open === 'remove' && <RemovePasskeyModal passkey={passkey} onClose={close} />}
    </PlainRow>
  );
}
