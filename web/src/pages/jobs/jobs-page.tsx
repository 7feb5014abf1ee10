import { t } from '@lingui/core/macro';
import { Button, Skeleton, Text } from '@mantine/core';
import { IconFilterOff, IconPhoto } from '@tabler/icons-react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { useJobs } from '../../api/jobs/jobs.js';
import { useOperations } from '../../api/models/operations.js';
import { EmptyState } from '../../components/notices/empty-state.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { PageHeader } from '../../components/pages/page-header.js';
import { useAddressFilters } from '../../components/pages/use-address-filters.js';
import { JobDrawer } from './detail/job-drawer.js';
import { pathBehind } from './opened-from.js';
import { JobFilterBar } from './job-filter-bar.js';
import { NO_FILTERS } from './job-filters.js';
import { JobList } from './job-list.js';
import classes from './jobs-page.module.css';

const SKELETON_ROWS = 8;

/** Every job of the account, newest first. */
export function JobsPage() {
  const { id } = useParams();
  const navigate = useNavigate();
  const { state } = useLocation();
  const { filters, change, clear, isFiltered } = useAddressFilters(NO_FILTERS);
  const operations = useOperations();
  const jobs = useJobs(filters);
  const search = window.location.search;
  const isEmpty = jobs.isLoaded && jobs.items.length === 0;
  return (
    <>
      <PageHeader title={t`Jobs`} description={t`All jobs in this account, newest first.`}>
        <Button component={Link} to="/playground" variant="default">
          {t`New job`}
        </Button>
      </PageHeader>
      <JobFilterBar
        filters={filters}
        operations={operations.names}
        isFiltered={isFiltered}
        onChange={change}
        onClear={clear}
      />
      {jobs.isPending && <ListSkeleton />}
      {jobs.isError && <ErrorState error={jobs.error} onRetry={jobs.retry} />}
      {isEmpty && isFiltered && (
        <EmptyState
          icon={<IconFilterOff size={22} stroke={1.5} />}
          title={t`No matching jobs`}
          description={t`Change or clear the filters.`}
        >
          <Button variant="default" onClick={clear}>
            {t`Clear filters`}
          </Button>
        </EmptyState>
      )}
      {isEmpty && !isFiltered && (
        <EmptyState
          icon={<IconPhoto size={22} stroke={1.5} />}
          title={t`No jobs yet`}
          description={t`Enhance a photo in the playground, or create a job with the API.`}
        >
          <Button component={Link} to="/playground">
            {t`Open the playground`}
          </Button>
        </EmptyState>
      )}
      {jobs.isLoaded && !isEmpty && (
        <>
          <JobList jobs={jobs.items} search={search} hasMore={jobs.hasMore} onMore={jobs.more} />
          <Text size="sm" c="dimmed" mt="sm" mih={22} aria-live="polite">
            {jobs.isLoadingMore ? t`Loading more jobs…` : jobs.hasMore ? '' : t`End of list`}
          </Text>
          {jobs.moreFault !== null && <ErrorState error={jobs.moreFault} onRetry={jobs.loadMore} />}
        </>
      )}
      {id !== undefined && (
        <JobDrawer
          id={id}
          onClose={() => void navigate(pathBehind(state, search), { preventScrollReset: true })}
        />
      )}
    </>
  );
}

function ListSkeleton() {
  return (
    <div className={classes['skeleton']} aria-busy="true" role="progressbar" aria-label={t`Loading`}>
      {Array.from({ length: SKELETON_ROWS }, (_, index) => (
        <div key={index} className={classes['row']}>
          <Skeleton width={44} height={44} radius={6} />
          <Skeleton height={16} width="40%" />
        </div>
      ))}
    </div>
  );
}
