import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconFilterOff, IconLayoutGrid } from '@tabler/icons-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useJobs } from '../../api/jobs/jobs.js';
import { useOperations } from '../../api/models/operations.js';
import { usePermission } from '../../api/session/use-permission.js';
import { EmptyState } from '../../components/notices/empty-state.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { Loading } from '../../components/notices/loading.js';
import { EndOfList } from '../../components/pages/end-of-list.js';
import { PageHeader } from '../../components/pages/page-header.js';
import { useAddressFilters } from '../../components/pages/use-address-filters.js';
import { useNow } from '../../lib/use-now.js';
import { isKept, type KeptResult, nameOf } from './kept-result.js';
import { ResultFilterBar } from './result-filter-bar.js';
import { NO_FILTERS } from './result-filters.js';
import { ResultGrid } from './result-grid.js';
import { SelectionBar } from './selection-bar.js';
import { useSelection } from './use-selection.js';

const ShareModal = lazy(async () => ({
  default: (await import('../../components/share/share-modal.js')).ShareModal,
}));

/** Interval at which expired results are removed from the page. */
const CLOCK_MS = 60_000;

/** Every result that still exists, newest first. */
export function ResultsPage() {
  const { filters, change, clear, isFiltered } = useAddressFilters(NO_FILTERS);
  const operations = useOperations();
  const filter = useMemo(() => ({ ...filters, status: 'completed' }), [filters]);
  const jobs = useJobs(filter);
  const nowMs = useNow(CLOCK_MS);
  const results = useMemo(() => jobs.items.filter((job) => isKept(job, nowMs)), [jobs.items, nowMs]);
  const { selected, isSelected, toggle, clear: deselect } = useSelection(results);
  const canShare = usePermission('images:write');
  const [sharing, setSharing] = useState<KeptResult | null>(null);
  const isEmpty = jobs.isLoaded && results.length === 0 && !jobs.hasMore;
  return (
    <>
      <PageHeader title={t`Results`} description={t`All stored results, newest first.`}>
        <Button component={Link} to="/results/shared" variant="default">
          {t`Shared links`}
        </Button>
      </PageHeader>
      <ResultFilterBar
        filters={filters}
        operations={operations.names}
        isFiltered={isFiltered}
        onChange={change}
        onClear={clear}
      />
      {jobs.isPending && <Loading height={320} />}
      {jobs.isError && <ErrorState error={jobs.error} onRetry={jobs.retry} />}
      {isEmpty && (
        <EmptyState
          icon={
            isFiltered ? <IconFilterOff size={22} stroke={1.5} /> : <IconLayoutGrid size={22} stroke={1.5} />
          }
          title={isFiltered ? t`No matching results` : t`No results yet`}
          description={
            isFiltered
              ? t`Change or clear the filters. A search by name covers your newest 2,000 results; choose a time for older ones.`
              : t`Results appear here when a job completes and stay until they expire.`
          }
        >
          {isFiltered ? (
            <Button variant="default" onClick={clear}>
              {t`Clear filters`}
            </Button>
          ) : (
            <Button component={Link} to="/playground">
              {t`Open the playground`}
            </Button>
          )}
        </EmptyState>
      )}
      {results.length > 0 && (
        <ResultGrid
          results={results}
          isSelected={isSelected}
          hasMore={jobs.hasMore}
          onToggle={toggle}
          onShare={canShare ? setSharing : null}
        />
      )}
      {jobs.isLoaded && (
        <EndOfList
          query={{
            hasNextPage: jobs.hasMore,
            isFetchingNextPage: jobs.isLoadingMore,
            fetchNextPage: async () => jobs.loadMore(),
          }}
          fault={jobs.moreFault}
          count={results.length}
        />
      )}
      {sharing !== null && (
        <Suspense>
          <ShareModal job={sharing} name={nameOf(sharing)} onClose={() => setSharing(null)} />
        </Suspense>
      )}
      {selected.length > 0 && <SelectionBar selected={selected} onClear={deselect} />}
    </>
  );
}
