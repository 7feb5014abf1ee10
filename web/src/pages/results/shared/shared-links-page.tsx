import { t } from '@lingui/core/macro';
import { IconShare } from '@tabler/icons-react';
import { useShareLinks } from '../../../api/jobs/share-links.js';
import { EmptyState } from '../../../components/notices/empty-state.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Loading } from '../../../components/notices/loading.js';
import { BackLink } from '../../../components/pages/back-link.js';
import { PageHeader } from '../../../components/pages/page-header.js';
import { RowList } from '../../../components/pages/row-list.js';
import { SharedLinkRow } from './shared-link-row.js';

/** The active links to results of the account. */
export function SharedLinksPage() {
  const links = useShareLinks();
  const list = links.data?.data ?? [];
  return (
    <>
      <BackLink to="/results" label={t`All results`} />
      <PageHeader
        title={t`Shared links`}
        description={t`Anyone with one of these links can see the result until the link expires.`}
      />
      {links.isPending && <Loading height={200} />}
      {links.isError && <ErrorState error={links.error} onRetry={() => void links.refetch()} />}
      {links.isSuccess && list.length === 0 && (
        <EmptyState
          icon={<IconShare size={22} stroke={1.5} />}
          title={t`No active links`}
          description={t`Open a result and choose Share to create a link. Expired and revoked links are not listed.`}
        />
      )}
      {list.length > 0 && (
        <RowList label={t`Shared links`}>
          {list.map((link) => (
            <SharedLinkRow key={link.id} link={link} />
          ))}
        </RowList>
      )}
    </>
  );
}
