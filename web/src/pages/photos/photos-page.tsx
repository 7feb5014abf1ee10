import { t } from '@lingui/core/macro';
import { Button, Skeleton } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { SessionSource } from '../../api/schema.js';
import { useSources } from '../../api/uploads/sources.js';
import { usePermission } from '../../api/session/use-permission.js';
import { EmptyState } from '../../components/notices/empty-state.js';
import { EndOfList, listFault } from '../../components/pages/end-of-list.js';
import { ErrorState } from '../../components/notices/error-state.js';
import { PageHeader } from '../../components/pages/page-header.js';
import { DeletePhotoModal } from './delete-photo-modal.js';
import { PhotoTile } from './photo-tile.js';
import classes from './photos-page.module.css';

const SKELETONS = 8;

/** Uploaded photos that still use storage. */
export function PhotosPage() {
  const mayChange = usePermission('images:write');
  const sources = useSources();
  const [deleting, setDeleting] = useState<SessionSource | null>(null);
  const list = sources.data?.pages.flatMap(({ data }) => data) ?? [];
  const fault = listFault(sources);
  const isEmpty = sources.isSuccess && list.length === 0 && !sources.hasNextPage;
  return (
    <>
      <PageHeader
        title={t`Photos`}
        description={t`Your uploaded photos, newest first. Delete photos to free up storage.`}
      />
      {sources.isPending && (
        <div className={classes['grid']} aria-busy="true" role="progressbar" aria-label={t`Loading`}>
          {Array.from({ length: SKELETONS }, (_, index) => (
            <Skeleton key={index} className={classes['skeleton'] ?? ''} />
          ))}
        </div>
      )}
      {fault !== null && <ErrorState error={fault} onRetry={() => void sources.refetch()} />}
      {isEmpty && (
        <EmptyState
          icon={<IconPhoto size={22} stroke={1.5} />}
          title={t`No photos`}
          description={t`Photos that you upload in the playground or with the API appear here.`}
        >
          <Button component={Link} to="/playground">
            {t`Open the playground`}
          </Button>
        </EmptyState>
      )}
      {list.length > 0 && (
        <ul className={classes['grid']} aria-label={t`Photos`}>
          {list.map((source) => (
            <li key={source.id}>
              <PhotoTile source={source} mayChange={mayChange} onDelete={() => setDeleting(source)} />
            </li>
          ))}
        </ul>
      )}
      <EndOfList query={sources} count={list.length} />
      {deleting !== null && <DeletePhotoModal source={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}
