import { t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useKeys } from '../../api/keys/keys.js';
import type { Key, KeyList } from '../../api/schema.js';
import { isGuestOfOperator } from '../../api/session/guest-of-operator.js';
import { useSession } from '../../api/session/session.js';
import { usePermission } from '../../api/session/use-permission.js';
import { EmptyState } from '../../components/notices/empty-state.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Loading } from '../../components/notices/loading.js';
import { Notice } from '../../components/notices/notice.js';
import { PageHeader } from '../../components/pages/page-header.js';
import type { KeyRoom } from './create-key-form.js';
import { CreateKeyModal } from './create-key-modal.js';
import { EditKeyModal } from './edit-key-modal.js';
import { InactiveKeys } from './inactive-keys.js';
import { KeyLimit } from './key-limit.js';
import { KeyRow } from './key-row.js';
import { RevokeKeyModal } from './revoke-key-modal.js';
import { RotateKeyModal } from './rotate-key-modal.js';

type Open = { readonly what: 'create' } | { readonly what: 'edit' | 'rotate' | 'revoke'; readonly key: Key };

/** API keys, which programs use instead of a password. */
export function KeysPage() {
  const keys = useKeys();
  const session = useSession().data;
  const mayChange = usePermission('keys:write');
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const list = keys.data?.data ?? [];
  const room = roomOf(keys.data);
  return (
    <>
      <PageHeader
        title={t`API keys`}
        description={t`Send a key in the x-api-key header of each request. Each key has its own rate limit.`}
      >
        {mayChange && (
          <Button
            leftSection={<IconPlus size={16} />}
            disabled={!room.live && !room.test}
            onClick={() => setOpen({ what: 'create' })}
          >
            {t`Create key`}
          </Button>
        )}
      </PageHeader>
      {keys.isPending && <Loading height={88} mb="sm" />}
      {keys.isError && <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.data !== undefined && (
        <Stack gap="sm">
          {session !== undefined && isGuestOfOperator(session) && (
            <Notice tone="info">
              {t`This account belongs to an operator of this service. Only operators can create and change its API keys.`}
            </Notice>
          )}
          <KeyLimit active={keys.data.active} limit={keys.data.limit} upgrade={keys.data.upgrade} />
          {list.length === 0 && keys.data.inactive === 0 && mayChange && (
            <EmptyState
              icon={<IconKey size={22} stroke={1.5} />}
              title={t`No keys yet`}
              description={t`Create a key for the program that will enhance images. You can revoke it at any time.`}
            >
              <Button onClick={() => setOpen({ what: 'create' })}>{t`Create your first key`}</Button>
            </EmptyState>
          )}
          {list.map((key) => (
            <KeyRow
              key={key.id}
              apiKey={key}
              {...(mayChange && {
                actions: {
                  onEdit: () => setOpen({ what: 'edit', key }),
                  onRotate: () => setOpen({ what: 'rotate', key }),
                  onRevoke: () => setOpen({ what: 'revoke', key }),
                },
              })}
            />
          ))}
          {list.length === 0 && (keys.data.inactive > 0 || !mayChange) && (
            <Text size="sm" c="dimmed">
              {t`You have no active keys.`}
            </Text>
          )}
          {keys.data.inactive > 0 && <InactiveKeys count={keys.data.inactive} />}
        </Stack>
      )}
      {open?.what === 'create' && <CreateKeyModal room={room} onClose={close} />}
      {open?.what === 'edit' && <EditKeyModal apiKey={open.key} onClose={close} />}
      {open?.what === 'rotate' && <RotateKeyModal apiKey={open.key} onClose={close} />}
      {open?.what === 'revoke' && <RevokeKeyModal apiKey={open.key} onClose={close} />}
    </>
  );
}

function roomOf(keys: KeyList | undefined): KeyRoom {
  if (keys === undefined) return { live: false, test: false };
  return { live: keys.active < keys.limit, test: keys.testActive < keys.testLimit };
}
