import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useDevices, useEndOtherSessions, useEndSession } from '../../api/session/devices.js';
import type { SignedInDevice } from '../../api/schema.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Loading } from '../../components/notices/loading.js';
import { PlainList, PlainRow } from '../../components/pages/plain-list.js';
import { StatusBadge } from '../../components/status/status-badge.js';
import { RelativeTime } from '../../components/times/relative-time.js';
import { describeUserAgent } from '../../lib/user-agent.js';

/** The devices on which the user is signed in, with buttons that sign out. */
export function DeviceList() {
  const devices = useDevices();
  const endOthers = useEndOtherSessions();
  const list = devices.data?.data ?? [];
  return (
    <Stack gap="md">
      {devices.isPending && <Loading height={56} />}
      {devices.isError && <ErrorState error={devices.error} onRetry={() => void devices.refetch()} />}
      {endOthers.error !== null && <ErrorState error={endOthers.error} />}
      {list.length > 0 && (
        <PlainList label={t`Sessions`}>
          {list.map((device) => (
            <DeviceRow key={device.id} device={device} />
          ))}
        </PlainList>
      )}
      {list.length > 1 && (
        <div>
          <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {t`Sign out all other sessions`}
          </Button>
        </div>
      )}
    </Stack>
  );
}

function DeviceRow({ device }: { readonly device: SignedInDevice }) {
  const end = useEndSession();
  const { userAgent, address, isCurrent } = device;
  const name = userAgent === null ? t`Unknown device` : describeUserAgent(userAgent);
  return (
    <PlainRow
      actions={
        !isCurrent && (
          <Button
            variant="subtle"
            size="compact-sm"
            loading={end.isPending}
            aria-label={t`Sign out ${name}`}
            onClick={() => end.mutate(device.id)}
          >
            {t`Sign out`}
          </Button>
        )
      }
    >
      <Group gap="xs">
        <Text fw={500}>{name}</Text>
        {isCurrent && <StatusBadge tone="good" label={t`This device`} />}
      </Group>
      <Text size="sm" c="dimmed">
        {address !== null && <>{address} · </>}
        {t`last used`} <RelativeTime iso={device.lastSeenAt} />
      </Text>
      {end.error !== null && <ErrorState error={end.error} />}
    </PlainRow>
  );
}
