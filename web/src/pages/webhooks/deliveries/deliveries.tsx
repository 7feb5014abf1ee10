import { t } from '@lingui/core/macro';
import { Button, NativeSelect, Skeleton } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useNavigate, useSearchParams } from 'react-router';
import { useDeliveries } from '../../../api/webhooks/webhook-deliveries.js';
import { useEndpoints, useEventTypes } from '../../../api/webhooks/webhook-endpoints.js';
import { DELIVERY_STATUSES } from '../../../api/webhooks/webhooks.js';
import { EmptyState } from '../../../components/notices/empty-state.js';
import { EndOfList } from '../../../components/pages/end-of-list.js';
import { RowList } from '../../../components/pages/row-list.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import classes from './deliveries.module.css';
import { DeliveryDrawer } from './delivery-drawer.js';
import { DeliveryRow } from './delivery-row.js';
import { DELIVERY_BADGES } from './delivery-badges.js';

export interface DeliveriesProps {
  /** The delivery whose details are shown. */
  readonly openId: string | undefined;
}

/** What was sent, newest first. The filters live in the address. */
export function Deliveries({ openId }: DeliveriesProps) {
  const [parameters, setParameters] = useSearchParams();
  const navigate = useNavigate();
  const filter = {
    endpointId: parameters.get('endpointId') ?? '',
    eventType: parameters.get('eventType') ?? '',
    status: parameters.get('status') ?? '',
  };
  const deliveries = useDeliveries(filter);
  const endpoints = useEndpoints();
  const types = useEventTypes();
  const set = (name: string, value: string) =>
    setParameters(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === '') after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  const list = deliveries.data?.pages.flatMap(({ data }) => data) ?? [];
  const search = parameters.size === 0 ? '' : `?${parameters.toString()}`;
  return (
    <>
      <search className={classes['filters']} aria-label={t`Filter deliveries`}>
        <NativeSelect
          aria-label={t`Endpoint`}
          value={filter.endpointId}
          onChange={(event) => set('endpointId', event.currentTarget.value)}
          data={[
            { value: '', label: t`Any endpoint` },
            ...(endpoints.data?.data ?? []).map(({ id, url }) => ({ value: id, label: url })),
          ]}
        />
        <NativeSelect
          aria-label={t`Event`}
          value={filter.eventType}
          onChange={(event) => set('eventType', event.currentTarget.value)}
          data={[
            { value: '', label: t`Any event` },
            ...(types.data ?? []).map(({ type }) => ({ value: type, label: type })),
          ]}
        />
        <NativeSelect
          aria-label={t`Status`}
          value={filter.status}
          onChange={(event) => set('status', event.currentTarget.value)}
          data={[
            { value: '', label: t`Any status` },
            ...DELIVERY_STATUSES.map((status) => ({ value: status, label: DELIVERY_BADGES[status].label })),
          ]}
        />
      </search>
      {deliveries.isPending && <Skeleton height={300} aria-label={t`Loading`} />}
      {deliveries.isError && (
        <ErrorState error={deliveries.error} onRetry={() => void deliveries.refetch()} />
      )}
      {deliveries.isSuccess && list.length === 0 && (
        <EmptyState
          icon={<IconSend size={22} stroke={1.5} />}
          title={parameters.size > 0 ? t`No matching deliveries` : t`No deliveries yet`}
          description={t`Deliveries appear here when an event is sent. Send a ping to try it.`}
        >
          {parameters.size > 0 && (
            <Button variant="default" onClick={() => setParameters({}, { replace: true })}>
              {t`Clear filters`}
            </Button>
          )}
        </EmptyState>
      )}
      {list.length > 0 && (
        <RowList label={t`Deliveries`}>
          {list.map((delivery) => (
            <li key={delivery.id}>
              <DeliveryRow delivery={delivery} search={search} />
            </li>
          ))}
        </RowList>
      )}
      <EndOfList query={deliveries} count={list.length} />
      {openId !== undefined && (
        <DeliveryDrawer
          id={openId}
          onClose={() => void navigate(`/webhooks/deliveries${search}`, { preventScrollReset: true })}
        />
      )}
    </>
  );
}
