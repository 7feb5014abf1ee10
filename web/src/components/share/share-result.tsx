import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconShare } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { isErasedOnceRead } from '../../api/jobs/job.js';
import type { SessionJob } from '../../api/schema.js';
import { usePermission } from '../../api/session/use-permission.js';

const ShareModal = lazy(async () => ({ default: (await import('./share-modal.js')).ShareModal }));

export interface ShareResultProps {
  readonly job: Pick<SessionJob, 'id' | 'result' | 'retention'>;
  readonly name: string;
}

/**
 * Opens the links to a result. Renders nothing for roles that may not share, and for results that are deleted after
 * reading.
 */
export function ShareResult({ job, name }: ShareResultProps) {
  const [isOpen, setIsOpen] = useState(false);
  const isPermitted = usePermission('images:write');
  if (!isPermitted || job.result === undefined || isErasedOnceRead(job)) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconShare size={14} />}
        onClick={() => setIsOpen(true)}
      >
        {t`Share`}
      </Button>
      {isOpen && (
        <Suspense>
          <ShareModal job={job} name={name} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
