import { t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { LinkedIdentity } from '../../api/schema.js';
import { useIdentities, useUnlinkIdentity } from '../../api/session/identities.js';
import { Dialog } from '../../components/dialogs/dialog.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Loading } from '../../components/notices/loading.js';
import { PlainList, PlainRow } from '../../components/pages/plain-list.js';
import { formatDay } from '../../lib/format.js';
import { PasswordForm } from './password-form.js';

/** The users of the OpenID provider who sign in to the account. */
export function IdentitiesSection({ providerName }: { readonly providerName: string | null }) {
  const identities = useIdentities();
  const list = identities.data?.data ?? [];
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t`Sign in with a linked provider instead of your password.`}
      </Text>
      {identities.isPending && <Loading height={56} />}
      {identities.isError && (
        <ErrorState error={identities.error} onRetry={() => void identities.refetch()} />
      )}
      {identities.isSuccess && list.length === 0 && (
        <Text size="sm">
          {providerName === null
            ? t`None is linked.`
            : t`None is linked. To link one, sign out and sign in with ${providerName}.`}
        </Text>
      )}
      {list.length > 0 && (
        <PlainList label={t`Sign-in providers`}>
          {list.map((identity) => (
            <IdentityRow key={identity.id} identity={identity} />
          ))}
        </PlainList>
      )}
    </Stack>
  );
}

function IdentityRow({ identity }: { readonly identity: LinkedIdentity }) {
  const [isUnlinking, setIsUnlinking] = useState(false);
  const { id, issuer, subject, createdAt } = identity;
  const host = new URL(issuer).host;
  return (
    <PlainRow
      actions={
        <Button
          variant="subtle"
          size="compact-sm"
          c="var(--mantine-color-error)"
          aria-label={t`Unlink ${host}`}
          onClick={() => setIsUnlinking(true)}
        >
          {t`Unlink`}
        </Button>
      }
    >
      <Text fw={500}>{host}</Text>
      <Text size="sm" c="dimmed">
        {subject} · {t`linked ${formatDay(createdAt)}`}
      </Text>
      {isUnlinking && <UnlinkModal id={id} host={host} onClose={() => setIsUnlinking(false)} />}
    </PlainRow>
  );
}

interface UnlinkModalProps {
  readonly id: string;
  readonly host: string;
  readonly onClose: () => void;
}

function UnlinkModal({ id, host, onClose }: UnlinkModalProps) {
  const unlink = useUnlinkIdentity();
  return (
    <Dialog onClose={onClose} title={t`Unlink ${host}?`}>
      <PasswordForm
        text={t`This provider account can no longer be used to sign in to your account. Devices stay signed in.`}
        action={t`Unlink`}
        isDangerous
        isBusy={unlink.isPending}
        error={unlink.error}
        onSubmit={(password) => unlink.mutate({ id, password }, { onSuccess: onClose })}
        onCancel={onClose}
      />
    </Dialog>
  );
}
