import { t } from '@lingui/core/macro';
import { Table } from '@mantine/core';
import type { UsageHistory } from '../../api/schema.js';
import { ScrollRegion } from '../../components/pages/scroll-region.js';
import { formatBytes, formatNumber } from '../../lib/format.js';
import classes from './history-table.module.css';

export interface HistoryTableProps {
  readonly history: UsageHistory;
}

/** The numbers of the charts, newest day first. */
export function HistoryTable({ history }: HistoryTableProps) {
  const rows = history.days
    .map((day, at) => ({
      day,
      enhancements: history.enhancements[at] ?? 0,
      bytes: history.storageBytes[at] ?? 0,
    }))
    .toReversed();
  return (
    <ScrollRegion className={classes['scroll']} label={t`Usage by day`}>
      <Table stickyHeader className={classes['table'] ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t`Day (UTC)`}</Table.Th>
            <Table.Th scope="col" ta="end">
              {t`Enhancements`}
            </Table.Th>
            <Table.Th scope="col" ta="end">
              {t`Storage`}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ day, enhancements, bytes }) => (
            <Table.Tr key={day}>
              <Table.Td>{day}</Table.Td>
              <Table.Td ta="end">{formatNumber(enhancements)}</Table.Td>
              <Table.Td ta="end">{formatBytes(bytes)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollRegion>
  );
}
