import { t } from '@lingui/core/macro';
import { IconCircleCheck } from '@tabler/icons-react';
import { type FailureFilters, useFailedJobs, useFailureCounts } from '../../../api/operator/failed-jobs.js';
import { EmptyState } from '../../../components/notices/empty-state.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Loading } from '../../../components/notices/loading.js';
import { EndOfList, listFault } from '../../../components/pages/end-of-list.js';
import { PageHeader } from '../../../components/pages/page-header.js';
import { RowList } from '../../../components/pages/row-list.js';
import { useAddressFilters } from '../../../components/pages/use-address-filters.js';
import { FailedJobRow } from './failed-job-row.js';
import { FailureCodes } from './failure-codes.js';
import { FailureFilterBar } from './failure-filter-bar.js';

/** The failures of the last week. */
const DEFAULTS: FailureFilters = { code: '', operation: '', account: '', hours: '168' };

/** Failed jobs of all customers, by reason. The filters are in the URL. */
export function FailedJobsPage() {
  const { filters, change } = useAddressFilters(DEFAULTS);
  const jobs = useFailedJobs(filters);
  const counts = useFailureCounts(filters);
  const list = jobs.data?.pages.flatMap(({ data }) => data) ?? [];
  const fault = listFault(jobs);
  return (
    <>
      <PageHeader
        title={t`Failed jobs`}
        description={t`Failed jobs of all customers, newest first. Failed jobs aren't charged. Canceled jobs and test jobs aren't listed.`}
      />
      <FailureFilterBar filters={filters} onChange={change} />
      {counts.data !== undefined && (
        <FailureCodes counts={counts.data} chosen={filters.code} onChoose={(code) => change({ code })} />
      )}
      {jobs.isPending && <Loading height={300} />}
      {fault !== null && <ErrorState error={fault} onRetry={() => void jobs.refetch()} />}
      {jobs.isSuccess && list.length === 0 && (
        <EmptyState
          icon={<IconCircleCheck size={22} stroke={1.5} />}
          title={t`No failed jobs`}
          description={t`No failed jobs match these filters.`}
        />
      )}
      {list.length > 0 && (
        <RowList label={t`Failed jobs`}>
          {list.map((job) => (
            <FailedJobRow key={job.id} job={job} />
          ))}
        </RowList>
      )}
      <EndOfList query={jobs} count={list.length} />
    </>
  );
}
