import { t } from '@lingui/core/macro';
import { Button, DataList, Group, Stack, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { SessionDelivery } from '../../../api/schema.js';
import { useDelivery, useRedeliver } from '../../../api/webhooks/webhook-deliveries.js';
import { Loading } from '../../../components/notices/loading.js';
import { Countdown } from '../../../components/times/countdown.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { StatusBadge } from '../../../components/status/status-badge.js';
import { formatDateTime } from '../../../lib/format.js';
import { useNow } from '../../../lib/use-now.js';
import { AttemptView } from './attempt-view.js';
import { DELIVERY_BADGES } from './delivery-badges.js';
import { DeliveryRequest } from './delivery-request.js';
import { noAttemptText } from './no-attempt-text.js';
import { retryText } from './retry-text.js';
import { SidePanel } from '../../../components/dialogs/side-panel.js';

const CLOCK_MS = 10_000;

export interface DeliveryDrawerProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** The request, the response of each attempt, and the time of the next retry. */
export function DeliveryDrawer({ id, onClose }: DeliveryDrawerProps) {
  const delivery = useDelivery(id);
  return (
    <SidePanel
      onClose={onClose}
      title={
        delivery.data === undefined ? (
          t`Delivery`
        ) : (
          <Group gap="sm">
            {delivery.data.eventType}
            <StatusBadge {...DELIVERY_BADGES[delivery.data.status]} />
          </Group>
        )
      }
    >
      {delivery.isPending && <Loading height={360} />}
      {delivery.isLoadingError && (
        <ErrorState error={delivery.error} onRetry={() => void delivery.refetch()} />
      )}
      {/* Without the key, an error of one delivery would also be shown for the next one. */}
      {delivery.data !== undefined && <Contents key={id} delivery={delivery.data} />}
    </SidePanel>
  );
}

function Contents({ delivery }: { readonly delivery: SessionDelivery }) {
  const redeliver = useRedeliver(delivery.id);
  return (
    <Stack gap="lg">
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} />}
          loading={redeliver.isPending}
          onClick={() => redeliver.mutate()}
        >
          {t`Send again`}
        </Button>
      </div>
      {redeliver.error !== null && <ErrorState error={redeliver.error} />}
      <Facts delivery={delivery} />
      <DeliveryRequest delivery={delivery} />
      <section aria-labelledby="attempts">
        <Title order={3} id="attempts" mb="xs">
          {t`Attempts`}
        </Title>
        {delivery.attempts.length === 0 && (
          <Text size="sm" c="dimmed">
            {noAttemptText(delivery)}
          </Text>
        )}
        <Stack gap="sm">
          {delivery.attempts.toReversed().map((attempt) => (
            <AttemptView key={attempt.number} attempt={attempt} />
          ))}
        </Stack>
      </section>
    </Stack>
  );
}

function Facts({ delivery }: { readonly delivery: SessionDelivery }) {
  const retry = retryText(delivery, useNow(CLOCK_MS));
  const facts = [
    ...(retry === null ? [] : [[t`State`, retry] as const]),
    [t`To`, delivery.url],
    [t`Event`, <code key="event">{delivery.eventId}</code>],
    [t`Created`, formatDateTime(delivery.createdAt)],
    [t`Delivered`, delivery.deliveredAt === null ? '–' : formatDateTime(delivery.deliveredAt)],
    [
      t`Next attempt`,
      delivery.nextAttemptAt === null ? '–' : <Countdown key="next" untilIso={delivery.nextAttemptAt} />,
    ],
  ] as const;
  return (
    <DataList withDivider labelWidth={140}>
      {facts.map(([label, value]) => (
        <DataList.Item key={label}>
          <DataList.ItemLabel>{label}</DataList.ItemLabel>
          <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{value}</DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
  );
}
