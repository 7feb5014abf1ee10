import { t } from '@lingui/core/macro';
import { Button, NativeSelect } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { useDeliveries } from '../../../api/webhooks/webhook-deliveries.js';
import { useEndpoints, useEventTypes } from '../../../api/webhooks/webhook-endpoints.js';
import { DELIVERY_STATUSES } from '../../../api/webhooks/webhooks.js';
import { EmptyState } from '../../../components/notices/empty-state.js';
import { Loading } from '../../../components/notices/loading.js';
import { EndOfList, listFault } from '../../../components/pages/end-of-list.js';
import { RowList } from '../../../components/pages/row-list.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import classes from './deliveries.module.css';
import { useAddressFilters } from '../../../components/pages/use-address-filters.js';
import { DeliveryDrawer } from './delivery-drawer.js';
import { DeliveryRow } from './delivery-row.js';
import { DELIVERY_BADGES } from './delivery-badges.js';

const NO_FILTERS = { endpointId: '', eventType: '', status: '' };

export interface DeliveriesProps {
  /** The delivery whose details are shown. */
  readonly openId: string | undefined;
}

/** The deliveries, newest first. The filters are in the URL. */
export function Deliveries({ openId }: DeliveriesProps) {
  const navigate = useNavigate();
  const { filters, change, clear, isFiltered } = useAddressFilters(NO_FILTERS);
  const { list: deliveries, moreFault, loadMore } = useDeliveries(filters);
  const endpoints = useEndpoints();
  const types = useEventTypes();
  const fault = listFault(deliveries);
  const list = deliveries.data?.pages.flatMap(({ data }) => data) ?? [];
  const search = window.location.search;
  return (
    <>
      <search className={classes['filters']} aria-label={t`Filter deliveries`}>
        <NativeSelect
          aria-label={t`Endpoint`}
          value={filters.endpointId}
          onChange={(event) => change({ endpointId: event.currentTarget.value })}
          data={[
            { value: '', label: t`Any endpoint` },
            ...(endpoints.data?.data ?? []).map(({ id, url }) => ({ value: id, label: url })),
          ]}
        />
        <NativeSelect
          aria-label={t`Event`}
          value={filters.eventType}
          onChange={(event) => change({ eventType: event.currentTarget.value })}
          data={[
            { value: '', label: t`Any event` },
            ...(types.data ?? []).map(({ type }) => ({ value: type, label: type })),
          ]}
        />
        <NativeSelect
          aria-label={t`Status`}
          value={filters.status}
          onChange={(event) => change({ status: event.currentTarget.value })}
          data={[
            { value: '', label: t`Any status` },
            ...DELIVERY_STATUSES.map((status) => ({ value: status, label: DELIVERY_BADGES[status].label })),
          ]}
        />
      </search>
      {deliveries.isPending && <Loading height={300} />}
      {fault !== null && <ErrorState error={fault} onRetry={() => void deliveries.refetch()} />}
      {deliveries.isSuccess && list.length === 0 && (
        <EmptyState
          icon={<IconSend size={22} stroke={1.5} />}
          title={isFiltered ? t`No matching deliveries` : t`No deliveries yet`}
          description={t`Deliveries appear here when an event is sent. Send a ping to try it.`}
        >
          {isFiltered && (
            <Button variant="default" onClick={clear}>
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
      <EndOfList
        query={{
          hasNextPage: deliveries.hasNextPage,
          isFetchingNextPage: deliveries.isFetchingNextPage,
          fetchNextPage: loadMore,
        }}
        fault={moreFault}
        count={list.length}
      />
      {openId !== undefined && (
        <DeliveryDrawer
          id={openId}
          onClose={() => void navigate(`/webhooks/deliveries${search}`, { preventScrollReset: true })}
        />
      )}
    </>
  );
}
