import { t } from '@lingui/core/macro';
import { Table, Text } from '@mantine/core';
import { useCanaryFigures } from '../../../api/operator/models.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Loading } from '../../../components/notices/loading.js';
import { formatDuration, formatNumber } from '../../../lib/format.js';

export interface CanaryFiguresTableProps {
  readonly operation: string;
  readonly version: number;
}

/** Compares the serving version with the canary. */
export function CanaryFiguresTable({ operation, version }: CanaryFiguresTableProps) {
  const figures = useCanaryFigures(operation, version);
  if (figures.isError) return <ErrorState error={figures.error} onRetry={() => void figures.refetch()} />;
  if (figures.isPending) return <Loading height={110} />;
  return (
    <>
      <Table horizontalSpacing={6} fz="sm" aria-label={t`Since the canary started`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t`Version`}</Table.Th>
            <Table.Th scope="col" ta="end">{t`Jobs`}</Table.Th>
            <Table.Th scope="col" ta="end">{t`Failed`}</Table.Th>
            <Table.Th scope="col" ta="end">{t`Time per megapixel`}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {figures.data.data.map((one) => (
            <Table.Tr key={one.version}>
              <Table.Th scope="row">
                {one.version === version ? t`${version} (canary)` : one.version}
              </Table.Th>
              <Table.Td ta="end">{formatNumber(one.jobs)}</Table.Td>
              <Table.Td ta="end">{formatNumber(one.failed)}</Table.Td>
              <Table.Td ta="end">
                {one.secondsPerMegapixel === null ? '–' : formatDuration(one.secondsPerMegapixel * 1_000)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed">
        {figures.data.isCapped
          ? t`Of the newest 2,000 jobs of the service.`
          : t`Jobs that were created and ended since the canary started.`}
      </Text>
    </>
  );
}
