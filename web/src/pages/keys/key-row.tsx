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
  /** What the buttons do. Without them, the user may not change the key. */
  readonly actions?: {
    readonly onEdit: () => void;
    readonly onRotate: () => void;
    readonly onRevoke: () => void;
  };
}

/** One key: its purpose, scopes, last use, and expiry. */
export function KeyRow({ apiKey, actions }: KeyRowProps) {
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
          <dt>{endLabel(status)}</dt>
          <dd>{endOf(apiKey, renew)}</dd>
        </div>
      </dl>
      {actions !== undefined && isUsable && (
        <Group gap="xs" className={classes['actions'] ?? ''}>
          {status === 'active' && (
            <Button size="xs" variant="default" onClick={actions.onEdit} aria-label={t`Edit ${apiKey.name}`}>
              {t`Edit`}
            </Button>
          )}
          {status === 'active' && (
            <Button
              size="xs"
              variant="default"
              onClick={actions.onRotate}
              aria-label={t`Rotate ${apiKey.name}`}
            >
              {t`Rotate`}
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            onClick={actions.onRevoke}
            aria-label={t`Revoke ${apiKey.name}`}
            className={classes['danger'] ?? ''}
          >
            {t`Revoke`}
          </Button>
        </Group>
      )}
    </Paper>
  );
}

function endLabel(status: Key['status']): string {
  if (status === 'replaced') return t`Old key expires in`;
  return status === 'active' ? t`Expires` : KEY_STATES[status].label;
}

function endOf({ expiresAt, revokedAt, status }: Key, renew: () => unknown): ReactNode {
  if (revokedAt !== null) return <RelativeTime iso={revokedAt} />;
  if (expiresAt === null) return t`Never`;
  if (status !== 'replaced') return <RelativeTime iso={expiresAt} />;
  return <Countdown untilIso={expiresAt} onEnd={renew} />;
}
