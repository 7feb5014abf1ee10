import { t } from '@lingui/core/macro';
import { Button, Group, Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useKeysRenewal } from '../../api/keys/keys.js';
import type { Key } from '../../api/schema.js';
import { Chips } from '../../components/text/chips.js';
import { RelativeTime } from '../../components/times/relative-time.js';
import { StatusBadge } from '../../components/status/status-badge.js';
import { Countdown } from '../../components/times/countdown.js';
import classes from './key-row.module.css';
import { shownAllowedIp } from './allowed-ips.js';
import { KEY_STATES } from './key-states.js';

export interface KeyRowProps {
  readonly apiKey: Key;
  /** Whether the user may change keys. */
  readonly isChangeable: boolean;
  readonly onEdit: () => void;
  readonly onRotate: () => void;
  readonly onRevoke: () => void;
}

/** One key: its purpose, scopes, last use, and expiry. */
export function KeyRow({ apiKey, isChangeable, onEdit, onRotate, onRevoke }: KeyRowProps) {
  const { status } = apiKey;
  const renew = useKeysRenewal();
  const isUsable = status === 'active' || status === 'replaced';
  return (
    <Paper
      withBorder
      className={classes['root']}
      component="article"
      aria-label={t`Key ${apiKey.name}`}
      data-dead={!isUsable}
    >
      <div className={classes['main']}>
        <Group gap="xs">
          <Text fw={600} className={classes['name'] ?? ''}>
            {apiKey.name}
          </Text>
          <StatusBadge {...KEY_STATES[status]} />
          {!apiKey.livemode && (
            <Text size="xs" c="dimmed">
              {t`Test mode`}
            </Text>
          )}
        </Group>
        <code className={classes['preview']}>{`${apiKey.prefix}…${apiKey.last4}`}</code>
        <Chips label={t`Scopes`} items={apiKey.scopes} />
        {apiKey.allowedIps !== null && (
          <Text size="xs" c="dimmed" className={classes['ips'] ?? ''}>
            {t`Only from ${apiKey.allowedIps.map(shownAllowedIp).join(', ')}`}
          </Text>
        )}
      </div>
      <dl className={classes['facts']}>
        <div>
          <dt>{t`Created`}</dt>
          <dd>
            <RelativeTime iso={apiKey.createdAt} />
          </dd>
        </div>
        <div>
          <dt>{t`Last used`}</dt>
          <dd>{apiKey.lastUsedAt === null ? t`Never` : <RelativeTime iso={apiKey.lastUsedAt} />}</dd>
        </div>
        <div>
          <dt>{status === 'replaced' ? t`Old key expires in` : t`Expires`}</dt>
          <dd>{endOf(apiKey, renew)}</dd>
        </div>
      </dl>
      <Group gap="xs" className={classes['actions'] ?? ''}>
        {isChangeable && status === 'active' && (
          <Button size="xs" variant="default" onClick={onEdit} aria-label={t`Edit ${apiKey.name}`}>
            {t`Edit`}
          </Button>
        )}
        {isChangeable && status === 'active' && (
          <Button size="xs" variant="default" onClick={onRotate} aria-label={t`Rotate ${apiKey.name}`}>
            {t`Rotate`}
          </Button>
        )}
        {isChangeable && isUsable && (
          <Button
            size="xs"
            variant="default"
            onClick={onRevoke}
            aria-label={t`Revoke ${apiKey.name}`}
            className={classes['danger'] ?? ''}
          >
            {t`Revoke`}
          </Button>
        )}
      </Group>
    </Paper>
  );
}

function endOf({ expiresAt, status }: Key, renew: () => unknown): ReactNode {
  if (expiresAt === null) return t`Never`;
  if (status !== 'replaced') return <RelativeTime iso={expiresAt} />;
  return <Countdown untilIso={expiresAt} onEnd={renew} />;
}
