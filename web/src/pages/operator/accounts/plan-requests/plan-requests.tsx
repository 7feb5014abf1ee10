import { plural, t } from '@lingui/core/macro';
import { Title } from '@mantine/core';
import { usePlanRequests } from '../../../../api/operator/plan-requests.js';
import { ErrorState } from '../../../../components/notices/error-state.js';
import { EndOfList } from '../../../../components/pages/end-of-list.js';
import { RowList } from '../../../../components/pages/row-list.js';
import { PlanRequestRow } from './plan-request-row.js';
import classes from './plan-requests.module.css';

/** Open requests of customers for another plan, oldest first. Renders nothing if there are none. */
export function PlanRequests() {
  const requests = usePlanRequests();
  const list = requests.data?.pages.flatMap(({ data }) => data) ?? [];
  if (requests.isLoadingError)
    return <ErrorState error={requests.error} onRetry={() => void requests.refetch()} />;
  if (list.length === 0) return null;
  return (
    <section aria-labelledby="plan-requests" className={classes['root']}>
      <Title order={2} id="plan-requests" mb="sm">
        {requests.hasNextPage
          ? t`More than ${list.length} plan requests`
          : plural(list.length, { one: '# plan request', other: '# plan requests' })}
      </Title>
      <RowList label={t`Plan requests`}>
        {list.map((request) => (
          <PlanRequestRow key={request.id} request={request} />
        ))}
      </RowList>
      {requests.hasNextPage && <EndOfList query={requests} count={list.length} />}
    </section>
  );
}
