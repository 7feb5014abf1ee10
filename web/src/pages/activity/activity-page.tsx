import { t } from '@lingui/core/macro';
import { Button, NativeSelect } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import { useActivity } from '../../api/activity.js';
import { EmptyState } from '../../components/notices/empty-state.js';
import { Loading } from '../../components/notices/loading.js';
import { EndOfList, listFault } from '../../components/pages/end-of-list.js';
import { FilterBar } from '../../components/pages/filter-bar.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { PageHeader } from '../../components/pages/page-header.js';
import { RowList } from '../../components/pages/row-list.js';
import { ActivityRow } from './activity-row.js';
import { ACCOUNT_GROUPS } from './audit-groups.js';

const GROUPS = [{ value: '', label: t`All activity` }, ...ACCOUNT_GROUPS];

/** The activity of the account, newest first. The filter is in the URL. */
export function ActivityPage() {
  const [parameters, setParameters] = useSearchParams();
  const group = GROUPS.find(({ value }) => value === parameters.get('group'))?.value ?? '';
  const activity = useActivity(group);
  const list = activity.data?.pages.flatMap(({ data }) => data) ?? [];
  const fault = listFault(activity);
  const choose = (value: string) => setParameters(value === '' ? {} : { group: value }, { replace: true });
  return (
    <>
      <PageHeader
        title={t`Activity`}
        description={t`Sign-ins and changes to keys, webhooks, plan and account. Check here if something looks unfamiliar.`}
      />
      <FilterBar layout="select" label={t`Filter activity`}>
        <NativeSelect
          aria-label={t`Kind of activity`}
          value={group}
          onChange={(event) => choose(event.currentTarget.value)}
          data={GROUPS}
        />
      </FilterBar>
      {activity.isPending && <Loading height={300} />}
      {fault !== null && <ErrorState error={fault} onRetry={() => void activity.refetch()} />}
      {activity.isSuccess && list.length === 0 && (
        <EmptyState
          icon={<IconHistory size={22} stroke={1.5} />}
          title={group === '' ? t`No activity yet` : t`No activity of this kind`}
          description={t`Every sign-in and every change is listed here.`}
        >
          {group !== '' && (
            <Button variant="default" onClick={() => choose('')}>
              {t`Show all activity`}
            </Button>
          )}
        </EmptyState>
      )}
      {list.length > 0 && (
        <RowList label={t`Activity`}>
          {list.map((event) => (
            <ActivityRow key={event.id} event={event} />
          ))}
        </RowList>
      )}
      <EndOfList query={activity} count={list.length} />
    </>
  );
}
