import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import { useFailingEndpoints } from '../../../api/operator/failing-endpoints.js';
import { EmptyState } from '../../../components/notices/empty-state.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Loading } from '../../../components/notices/loading.js';
import { EndOfList, listFault } from '../../../components/pages/end-of-list.js';
import { FilterBar } from '../../../components/pages/filter-bar.js';
import { PageHeader } from '../../../components/pages/page-header.js';
import { RowList } from '../../../components/pages/row-list.js';
import { EndpointRow } from './endpoint-row.js';

const STATES = [
  { value: '', label: t`Any state` },
  { value: 'enabled', label: t`Enabled` },
  { value: 'disabled', label: t`Disabled` },
] as const;

/** Webhook endpoints of all customers with failing deliveries. */
export function FailingEndpointsPage() {
  const [parameters, setParameters] = useSearchParams();
  const state = STATES.find(({ value }) => value === parameters.get('state'))?.value ?? '';
  const endpoints = useFailingEndpoints(state);
  const list = endpoints.data?.pages.flatMap(({ data }) => data) ?? [];
  const fault = listFault(endpoints);
  return (
    <>
      <PageHeader
        title={t`Failing endpoints`}
        description={t`Webhook endpoints of all customers whose last delivery failed, most recent failures first.`}
      />
      <FilterBar layout="select" label={t`Filter endpoints`}>
        <NativeSelect
          aria-label={t`State`}
          value={state}
          onChange={({ currentTarget: { value } }) =>
            setParameters(value === '' ? {} : { state: value }, { replace: true })
          }
          data={[...STATES]}
        />
      </FilterBar>
      {endpoints.isPending && <Loading height={300} />}
      {fault !== null && <ErrorState error={fault} onRetry={() => void endpoints.refetch()} />}
      {endpoints.isSuccess && list.length === 0 && (
        <EmptyState
          icon={<IconWebhook size={22} stroke={1.5} />}
          title={t`No failing endpoints`}
          description={t`The last delivery to every endpoint succeeded.`}
        />
      )}
      {list.length > 0 && (
        <RowList label={t`Failing endpoints`}>
          {list.map((endpoint) => (
            <EndpointRow key={endpoint.id} endpoint={endpoint} />
          ))}
        </RowList>
      )}
      <EndOfList query={endpoints} count={list.length} />
    </>
  );
}
