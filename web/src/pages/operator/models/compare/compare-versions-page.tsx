import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { IconBox } from '@tabler/icons-react';
import { useRef } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { useConsoleModels } from '../../../../api/operator/models.js';
import { useResultInView } from '../../../../components/compare/use-result-in-view.js';
import { EmptyState } from '../../../../components/notices/empty-state.js';
import { ErrorState } from '../../../../components/notices/error-state.js';
import { Loading } from '../../../../components/notices/loading.js';
import { BackLink } from '../../../../components/pages/back-link.js';
import { PageHeader } from '../../../../components/pages/page-header.js';
import { operationLabel } from '../../../../lib/format.js';
import { suggestedVersions } from './comparable-versions.js';
import classes from './compare-versions.module.css';
import { EarlierComparisons } from './earlier-comparisons.js';
import { NewComparison } from './new-comparison.js';
import { ShownComparison } from './shown-comparison.js';

/** Compares two versions of a model on a photo of the operator. The URL contains the comparison that is shown. */
export function CompareVersionsPage() {
  const { operation = '' } = useParams();
  const [parameters, setParameters] = useSearchParams();
  const shownId = parameters.get('comparison');
  const shown = useRef<HTMLDivElement>(null);
  useResultInView(shown, shownId ?? undefined);
  const models = useConsoleModels();
  const found = models.data?.data.find((one) => one.operation === operation);
  const suggested = found && suggestedVersions(found, { a: parameters.get('a'), b: parameters.get('b') });
  return (
    <>
      <BackLink to="/operator/models" label={t`Models`} />
      <PageHeader
        title={t`Compare versions: ${operationLabel(operation)}`}
        description={t`Runs two versions on the same photo. Neither needs to be loaded, and jobs keep running in the meantime.`}
      />
      <Stack gap="lg">
        {models.isPending && <Loading height={360} />}
        {models.isError && models.data === undefined && (
          <ErrorState error={models.error} onRetry={() => void models.refetch()} />
        )}
        {models.data !== undefined && (found === undefined || suggested === undefined) && (
          <EmptyState
            icon={<IconBox size={22} stroke={1.5} />}
            title={t`Nothing to compare`}
            description={t`Workers have fewer than two versions of this model that can serve.`}
          />
        )}
        {found !== undefined && suggested !== undefined && (
          <NewComparison
            key={operation}
            operation={found}
            suggested={suggested}
            onCreated={(id) => setParameters({ comparison: id }, { preventScrollReset: true })}
          />
        )}
        {shownId !== null && (
          <div ref={shown} className={classes['shown']}>
            <ShownComparison key={shownId} operation={operation} id={shownId} />
          </div>
        )}
        <EarlierComparisons operation={operation} shownId={shownId} />
      </Stack>
    </>
  );
}
