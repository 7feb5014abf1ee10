import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { IconDownload, IconRefresh, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { archivePath, hasBatchEnded, useCancelBatch, useRetryBatch } from '../../../api/batches/batches.js';
import type { SessionBatchDetail } from '../../../api/schema.js';
import { usePermission } from '../../../api/session/use-permission.js';
import { ConfirmModal } from '../../../components/dialogs/confirm-modal.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Notice } from '../../../components/notices/notice.js';
import { useOrderKey } from '../../../lib/use-order-key.js';
import { photosText } from '../batch-text.js';
import classes from './batch-actions.module.css';

export interface BatchActionsProps {
  readonly batch: SessionBatchDetail;
}

/** The actions that are available in the current state of a batch. */
export function BatchActions({ batch }: BatchActionsProps) {
  const { counts } = batch;
  const mayChange = usePermission('images:write');
  const [isCanceling, setIsCanceling] = useState(false);
  const cancel = useCancelBatch(batch.id);
  const retry = useRetryBatch(batch.id);
  const { keyOf, forget } = useOrderKey();
  const hasEnded = hasBatchEnded(batch);
  const retryButton = useRef<HTMLButtonElement>(null);
  /** The button loses the focus while it is disabled, and disappears when no failed photos are left. */
  const keepFocus = () => {
    if (document.activeElement !== document.body) return;
    (retryButton.current ?? document.getElementById('main'))?.focus({ preventScroll: true });
  };
  const skipped = retry.data?.skipped.length ?? 0;
  return (
    <>
      <Group gap="xs">
        {mayChange && !hasEnded && (
          <Button variant="default" leftSection={<IconX size={16} />} onClick={() => setIsCanceling(true)}>
            {t`Cancel batch`}
          </Button>
        )}
        {mayChange && counts.failed > 0 && (
          <Button
            ref={retryButton}
            variant="default"
            leftSection={<IconRefresh size={16} />}
            loading={retry.isPending}
            onClick={() => {
              const onSettled = () => {
                forget();
                setTimeout(keepFocus);
              };
              retry.mutate(keyOf([batch.id, counts.failed]), { onSettled });
            }}
          >
            {t`Retry failed`}
          </Button>
        )}
        {hasEnded && counts.completed > 0 && (
          <Button
            component="a"
            href={archivePath(batch.id)}
            download
            leftSection={<IconDownload size={16} />}
          >
            {t`Download ZIP`}
          </Button>
        )}
      </Group>
      {(retry.error !== null || skipped > 0) && (
        <div className={classes['below']}>
          {retry.error !== null && <ErrorState error={retry.error} />}
          {skipped > 0 && (
            <Notice tone="warn" role="status" title={t`${photosText(skipped)} couldn't be retried`}>
              <Text size="sm">{t`The photos were deleted.`}</Text>
            </Notice>
          )}
        </div>
      )}
      {isCanceling && !hasEnded && (
        <ConfirmModal
          title={t`Cancel this batch?`}
          text={t`${photosText(counts.queued + counts.processing)} won't be enhanced and won't be charged. Completed results are kept.`}
          action={t`Cancel batch`}
          isBusy={cancel.isPending}
          error={cancel.error}
          onConfirm={() => cancel.mutate(undefined, { onSuccess: () => setIsCanceling(false) })}
          onClose={() => setIsCanceling(false)}
        />
      )}
    </>
  );
}
