import { Table } from '@mantine/core';
import type { OperationLoad } from '../../../api/operator/schema.js';
import { Card } from '../../../components/pages/card.js';
import { ScrollRegion } from '../../../components/pages/scroll-region.js';
import { formatDuration, formatNumber, operationLabel } from '../../../lib/format.js';
import classes from './overview.module.css';
import { TEXTS } from './texts.js';

export interface OperationTableProps {
  readonly operations: readonly OperationLoad[];
}

const time = (ms: number | null): string => (ms === null ? '–' : formatDuration(ms));

/** Queue and results by operation. */
export function OperationTable({ operations }: OperationTableProps) {
  const { columns } = TEXTS;
  const numbers = [columns.queued, columns.oldest, columns.ended, columns.failed, columns.p50, columns.p99];
  return (
    <Card
      id="operations"
      title={TEXTS.operations}
      hint={operations.length === 0 ? TEXTS.noOperations : TEXTS.operationsHint}
    >
      {operations.length > 0 && (
        <ScrollRegion className={classes['scroll']} label={TEXTS.operations}>
          <Table className={classes['table'] ?? ''}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{columns.operation}</Table.Th>
                {numbers.map((name) => (
                  <Table.Th scope="col" ta="end" key={name}>
                    {name}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {operations.map((row) => (
                <Table.Tr key={row.operation}>
                  <Table.Th scope="row">{operationLabel(row.operation)}</Table.Th>
                  <Table.Td ta="end">{formatNumber(row.queued)}</Table.Td>
                  <Table.Td ta="end">
                    {time(row.queued === 0 ? null : row.oldestWaitSeconds * 1_000)}
                  </Table.Td>
                  <Table.Td ta="end">{formatNumber(row.ended)}</Table.Td>
                  <Table.Td ta="end">{formatNumber(row.failed)}</Table.Td>
                  <Table.Td ta="end">{time(row.p50Ms)}</Table.Td>
                  <Table.Td ta="end">{time(row.p99Ms)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollRegion>
      )}
    </Card>
  );
}
