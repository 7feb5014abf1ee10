import { t } from '@lingui/core/macro';
import { Stack, Table, Text } from '@mantine/core';
import type { ComparisonResults, VersionComparison, VersionResult } from '../../../../api/operator/schema.js';
import { Notice } from '../../../../components/notices/notice.js';
import { formatDecimal, formatDuration, formatSize } from '../../../../lib/format.js';
import classes from './compare-versions.module.css';
import { differenceText, refusalText } from './comparison-texts.js';

export interface ComparisonFiguresProps {
  readonly comparison: VersionComparison;
  readonly results: ComparisonResults;
}

const NONE = '–';

/** The size and duration of each result, and the difference between them. */
export function ComparisonFigures({ comparison, results }: ComparisonFiguresProps) {
  const { a, b } = comparison;
  const rows = [
    { version: a, result: results.a, ratio: null },
    { version: b, result: results.b, ratio: ratioOf(results) },
  ];
  return (
    <Stack gap="sm">
      <Table horizontalSpacing={6} fz="sm" aria-label={t`Figures`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t`Version`}</Table.Th>
            <Table.Th scope="col">{t`Size`}</Table.Th>
            <Table.Th scope="col" ta="end">{t`Inference time`}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ version, result, ratio }) => (
            <Table.Tr key={version}>
              <Table.Th scope="row">{version}</Table.Th>
              <Table.Td className={classes['size'] ?? ''}>{sizeText(result)}</Table.Td>
              <Table.Td ta="end">
                {result.inferenceMs === null ? NONE : formatDuration(result.inferenceMs)}
                {ratio !== null && ` (${formatDecimal(ratio, 2)}\u00A0×)`}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Difference comparison={comparison} results={results} />
    </Stack>
  );
}

function Difference({ comparison: { a: serving }, results }: ComparisonFiguresProps) {
  const { a, b, difference } = results;
  if (difference === null) {
    if (a.refusal !== null || b.refusal !== null) return null;
    const isOtherSize = a.width !== b.width || a.height !== b.height;
    return (
      <Notice
        tone="warn"
        title={
          isOtherSize
            ? t`The results differ in size, so they can't be measured against each other`
            : t`Only one of the results is transparent, so they can't be measured against each other`
        }
      />
    );
  }
  return (
    <div>
      <Text size="sm">
        {t`Difference`}: <b>{differenceText(difference)}</b>
      </Text>
      <Text size="xs" c="dimmed">
        {difference.measure === 'color'
          ? t`Mean absolute difference of the colors from those of version ${serving}, in percent of full scale.`
          : t`How much of the subject is not in both cutouts: 100% less the overlap (IoU) with version ${serving}.`}
      </Text>
    </div>
  );
}

function sizeText({ width, height, refusal }: VersionResult): string {
  if (width === null || height === null) return refusal === null ? NONE : refusalText(refusal).title;
  return `${formatSize({ width, height })} px`;
}

/** The duration of the second version relative to the first. */
function ratioOf({ a, b }: ComparisonResults): number | null {
  return a.inferenceMs === null || b.inferenceMs === null ? null : b.inferenceMs / a.inferenceMs;
}
