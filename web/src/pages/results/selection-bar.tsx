import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { IconDownload, IconLayoutColumns, IconTrash } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { MAX_SELECTED, selectedPath } from '../../api/jobs/selected-results.js';
import { isErasedOnceRead } from '../../api/jobs/job.js';
import { usePermission } from '../../api/session/use-permission.js';
import { formatBytes, formatNumber } from '../../lib/format.js';
import { DeleteResultsModal } from './delete-results-modal.js';
import type { KeptResult } from './kept-result.js';
import classes from './selection-bar.module.css';

const CompareResults = lazy(async () => ({
  default: (await import('./compare-results.js')).CompareResults,
}));

export interface SelectionBarProps {
  readonly selected: readonly KeptResult[];
  readonly onClear: () => void;
}

/** Actions for all selected results. */
export function SelectionBar({ selected, onClear }: SelectionBarProps) {
  const [open, setOpen] = useState<'delete' | 'compare' | null>(null);
  const mayDelete = usePermission('images:write');
  const close = () => setOpen(null);
  const bytes = selected.reduce((sum, { result }) => sum + result.bytes, 0);
  const [first, second, third] = selected;
  const isPair = first !== undefined && second !== undefined && third === undefined;
  const isErased = selected.some(isErasedOnceRead);
  const isTooMany = selected.length > MAX_SELECTED;
  return (
    <section className={classes['root']} aria-label={t`Selection`}>
      <Text size="sm" aria-live="polite">
        <b>
          <Trans>{formatNumber(selected.length)} selected</Trans>
        </b>
        , {formatBytes(bytes)}
      </Text>
      <div className={classes['actions']}>
        <Button size="xs" variant="subtle" onClick={onClear}>
          {t`Clear selection`}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconLayoutColumns size={14} />}
          disabled={!isPair || isErased}
          title={compareHint(isPair, isErased)}
          onClick={() => setOpen('compare')}
        >
          {t`Compare`}
        </Button>
        {mayDelete && (
          <Button
            size="xs"
            variant="default"
            c="var(--mantine-color-error)"
            leftSection={<IconTrash size={14} />}
            onClick={() => setOpen('delete')}
          >
            {t`Delete`}
          </Button>
        )}
        {isTooMany ? (
          <Button size="xs" disabled title={t`A ZIP can hold up to ${MAX_SELECTED} results`}>
            <Trans>{MAX_SELECTED} at most</Trans>
          </Button>
        ) : (
          <Button
            size="xs"
            component="a"
            href={selectedPath(selected.map(({ id }) => id))}
            download
            leftSection={<IconDownload size={14} />}
          >
            {t`Download ZIP`}
          </Button>
        )}
      </div>
      {open === 'delete' && <DeleteResultsModal results={selected} onClose={close} />}
      {open === 'compare' && isPair && (
        <Suspense>
          <CompareResults one={first} other={second} onClose={close} />
        </Suspense>
      )}
    </section>
  );
}

function compareHint(isPair: boolean, isErased: boolean): string | undefined {
  if (!isPair) return t`Select two results to compare them`;
  return isErased ? t`Results that are deleted once they have been downloaded can't be compared` : undefined;
}
