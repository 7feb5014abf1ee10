import { Table } from '@mantine/core';
import type { ModelBatch } from '../../api/models.js';
import { RelativeTime } from '../../components/relative-time.js';
import { ScrollRegion } from '../../components/scroll-region.js';
import { formatDuration } from '../../lib/format.js';
import classes from './last-batches.module.css';

export interface LastBatchesProps {
  readonly batches: readonly ModelBatch[];
}

const COLUMNS = ['When', 'Stage', 'Filled', 'Run', 'Device'] as const;

/** What the model has run last, for everybody: how full the batches were and how long they took. */
export function LastBatches({ batches }: LastBatchesProps) {
  if (batches.length === 0) return null;
  const longestMs = Math.max(...batches.map(({ runMs }) => runMs));
  return (
    <details className={classes['root']}>
      <summary>Last batches</summary>
      <ScrollRegion className={classes['scroll']} label="Last batches">
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
              <BatchRow key={keyOf(batch)} batch={batch} longestMs={longestMs} />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
    </details>
  );
}

/** A device runs one batch after the other. */
function keyOf({ at, device, stage, runMs }: ModelBatch): string {
  return [at, device, stage, runMs].join(' ');
}

function BatchRow({ batch, longestMs }: { readonly batch: ModelBatch; readonly longestMs: number }) {
  const { at, stage, version, items, size, runMs, device } = batch;
  return (
    <Table.Tr>
      <Table.Td>
        <RelativeTime iso={at} />
      </Table.Td>
      <Table.Td>{`${stage}, version ${version}`}</Table.Td>
      <Table.Td>{`${items} of ${size}`}</Table.Td>
      <Table.Td>
        <span className={classes['run']}>
          <meter aria-label="Against the longest" min={0} max={longestMs} value={runMs} />
          {formatDuration(runMs)}
        </span>
      </Table.Td>
      <Table.Td>{device}</Table.Td>
    </Table.Tr>
  );
}
