import { t } from '@lingui/core/macro';
import { Table } from '@mantine/core';
import type { BatchSummary } from '../../api/schema.js';
import { ScrollRegion } from '../../components/pages/scroll-region.js';
import { formatDuration, formatPercent } from '../../lib/format.js';
import classes from './last-batches.module.css';

export interface LastBatchesProps {
  readonly batches: readonly BatchSummary[];
}

const COLUMNS = [t`Stage`, t`Batches`, t`Filled`, t`Run, median`, t`Device`] as const;

/** The model's latest batches, for all customers together: how full they were, and how long they took. */
export function LastBatches({ batches }: LastBatchesProps) {
  if (batches.length === 0) return null;
  const longestMs = Math.max(...batches.map(({ runMsMedian }) => runMsMedian));
  return (
    <details className={classes['root']}>
      <summary>{t`Recent batches`}</summary>
      <ScrollRegion className={classes['scroll']} label={t`Recent batches`}>
        <Table className={classes['table'] ?? ''}>
          <Table.Thead>
            <Table.Tr>
              {COLUMNS.map((name) => (
                <Table.Th key={name} scope="col">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {batches.map((batch) => (
              <SummaryRow
                key={`${batch.stage} ${batch.version} ${batch.device}`}
                batch={batch}
                longestMs={longestMs}
              />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
    </details>
  );
}

function SummaryRow({ batch, longestMs }: { readonly batch: BatchSummary; readonly longestMs: number }) {
  const { stage, version, device, batches, filled, runMsMedian } = batch;
  return (
    <Table.Tr>
      <Table.Td>{t`${stage}, version ${version}`}</Table.Td>
      <Table.Td>{batches}</Table.Td>
      <Table.Td>{formatPercent(filled)}</Table.Td>
      <Table.Td>
        <span className={classes['run']}>
          <meter aria-label={t`Relative to the slowest`} min={0} max={longestMs} value={runMsMedian} />
          {formatDuration(runMsMedian)}
        </span>
      </Table.Td>
      <Table.Td>{device}</Table.Td>
    </Table.Tr>
  );
}
