import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconBrush } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import type { SessionJob } from '../../../api/schema.js';
import { usePermission } from '../../../api/session/use-permission.js';
import { canRefine } from './can-refine.js';

const RefineModal = lazy(async () => ({ default: (await import('./refine-modal.js')).RefineModal }));

/** Opens the brushes for the cutout of a job. Renders nothing for other jobs. */
export function RefineButton({ job }: { readonly job: SessionJob }) {
  const [isOpen, setIsOpen] = useState(false);
  const isPermitted = usePermission('images:write');
  if (!isPermitted || !canRefine(job)) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconBrush size={14} />}
        onClick={() => setIsOpen(true)}
      >
        {t`Refine cutout`}
      </Button>
      {isOpen && (
        <Suspense>
          <RefineModal job={job} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
