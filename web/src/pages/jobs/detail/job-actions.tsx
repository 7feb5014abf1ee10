import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload, IconPhotoSpark, IconRefresh, IconTrash, IconX } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useCancelJob, useDeleteJob, useRunAgain } from '../../../api/jobs/job-actions.js';
import { downloadPath } from '../../../api/jobs/download-path.js';
import { isGone } from '../../../api/problem.js';
import { usePermission } from '../../../api/session/use-permission.js';
import { hasEnded, isErasedOnceRead } from '../../../api/jobs/job.js';
import type { SessionJob } from '../../../api/schema.js';
import { ConfirmModal } from '../../../components/dialogs/confirm-modal.js';
import { resultFault } from '../../../components/photo/photo-file.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { showDone } from '../../../components/notices/show-done.js';
import { ShareResult } from '../../../components/share/share-result.js';
import { useOrderKey } from '../../../lib/use-order-key.js';
import { RefineButton } from '../refine/refine-button.js';

export interface JobActionsProps {
  readonly job: SessionJob;
  /** Whether its result still exists. */
  readonly isKept: boolean;
  readonly onDeleted: () => void;
}

/** The actions that are available in the current state of a job. */
export function JobActions({ job, isKept, onDeleted }: JobActionsProps) {
  const navigate = useNavigate();
  const mayChange = usePermission('images:write');
  const [isDeleting, setIsDeleting] = useState(false);
  const cancel = useCancelJob();
  const remove = useDeleteJob(() => {
    showDone(t`Job deleted.`);
    onDeleted();
  });
  const again = useRunAgain();
  const { keyOf, forget } = useOrderKey();
  const runAgain = () =>
    again.mutate(
      { id: job.id, idempotencyKey: keyOf(job.id) },
      {
        onSuccess: ({ id }) => {
          forget();
          void navigate(`/jobs/${id}`);
        },
        onError: (error) => {
          if (isGone(error)) forget();
        },
      },
    );
  const isErased = isErasedOnceRead(job);
  const refusal = cancel.error ?? again.error;
  const isEnhanceable = mayChange && isKept && !isErased;
  const fault = isEnhanceable && job.result !== undefined ? resultFault(job.result) : null;
  const faultId = useId();
  return (
    <>
      <Stack gap={6}>
        <Group gap="xs">
          {isKept && (
            <Button
              component="a"
              size="xs"
              href={downloadPath(job.id)}
              download
              leftSection={<IconDownload size={14} />}
            >
              {isErased ? t`Download and delete` : t`Download`}
            </Button>
          )}
          {isEnhanceable && <EnhanceResult id={job.id} faultId={fault === null ? null : faultId} />}
          {mayChange && <RefineButton job={job} />}
          {mayChange && isKept && <ShareResult job={job} name={job.sourceName ?? t`this result`} />}
          {mayChange && !hasEnded(job) && (
            <Button
              size="xs"
              variant="default"
              loading={cancel.isPending}
              leftSection={<IconX size={14} />}
              onClick={() => cancel.mutate(job.id)}
            >
              {t`Cancel job`}
            </Button>
          )}
          {mayChange && hasEnded(job) && (
            <Button
              size="xs"
              variant="default"
              loading={again.isPending}
              leftSection={<IconRefresh size={14} />}
              onClick={runAgain}
            >
              {t`Run again`}
            </Button>
          )}
          {mayChange && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconTrash size={14} />}
              c="var(--mantine-color-error)"
              onClick={() => setIsDeleting(true)}
            >
              {t`Delete`}
            </Button>
          )}
        </Group>
        {fault !== null && (
          <Text size="sm" c="dimmed" id={faultId}>
            {fault}
          </Text>
        )}
      </Stack>
      {refusal !== null && <ErrorState error={refusal} />}
      {isDeleting && (
        <ConfirmModal
          title={t`Delete this job?`}
          text={
            isErased
              ? t`This permanently deletes the job, its result and the source photo. The photo is kept if another job or a preset needs it.`
              : t`This permanently deletes the job and its result. The source photo is kept.`
          }
          action={t`Delete job`}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(job.id)}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </>
  );
}

/** @param faultId of the text that says why it is not possible; null if it is */
function EnhanceResult({ id, faultId }: { readonly id: string; readonly faultId: string | null }) {
  const look = { size: 'xs', variant: 'default', leftSection: <IconPhotoSpark size={14} /> } as const;
  const text = t`Enhance the result`;
  if (faultId !== null)
    return (
      // Still focusable, so that keyboard users can read the reason.
      <Button {...look} data-disabled aria-disabled aria-describedby={faultId}>
        {text}
      </Button>
    );
  return (
    <Button {...look} component={Link} to={`/playground?result=${id}`}>
      {text}
    </Button>
  );
}
