import { t } from '@lingui/core/macro';
import { Group, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { type ComparedPicture, pictureUrl } from '../../../../api/operator/comparisons.js';
import type { ComparisonResults, VersionComparison } from '../../../../api/operator/schema.js';
import { Compare } from '../../../../components/compare/compare.js';
import type { Size } from '../../../../components/compare/view.js';
import { jobLabel } from '../../../../lib/steps-text.js';
import classes from './compare-versions.module.css';
import { refusalText } from './comparison-texts.js';
import { type Side, SideBySide } from './side-by-side.js';

export interface ComparisonPicturesProps {
  readonly comparison: VersionComparison;
  readonly results: ComparisonResults;
}

/** The two pictures that are shown. */
type View = 'ab' | 'sourceA' | 'sourceB';
const SIDES: Readonly<Record<View, readonly [ComparedPicture, ComparedPicture]>> = {
  ab: ['a', 'b'],
  sourceA: ['source', 'a'],
  sourceB: ['source', 'b'],
};

/** Any two of the photo and both results, with a divider; side by side if a version rejected the photo. */
export function ComparisonPictures({ comparison, results }: ComparisonPicturesProps) {
  const { operation, level, a, b } = comparison;
  const [view, setView] = useState<View>('ab');
  const side = (picture: ComparedPicture): Side => {
    const refusal = picture === 'source' ? null : results[picture].refusal;
    return {
      label: picture === 'source' ? t`Photo` : versionText(comparison[picture]),
      url: refusal === null ? pictureUrl(comparison, picture) : null,
      refusal: refusal === null ? null : refusalText(refusal),
    };
  };
  const [left, right] = SIDES[view];
  const [before, after] = [side(left), side(right)];
  const alt = jobLabel([{ operation, level }]);
  const choice = (
    <SegmentedControl
      size="xs"
      classNames={{ control: classes['choice'] ?? '', label: classes['words'] ?? '' }}
      aria-label={t`Compared images`}
      value={view}
      onChange={setView}
      data={[
        { value: 'ab', label: t`Versions ${a} and ${b}` },
        { value: 'sourceA', label: photoAndText(a) },
        { value: 'sourceB', label: photoAndText(b) },
      ]}
    />
  );
  const size = sizeOf(results, left, right);
  if (before.url === null || after.url === null || size === undefined)
    return (
      <div>
        <Group justify="flex-end" mb="sm">
          {choice}
        </Group>
        <SideBySide sides={[before, after]} alt={alt} />
      </div>
    );
  return (
    <Compare
      beforeUrl={before.url}
      afterUrl={after.url}
      beforeLabel={before.label}
      afterLabel={after.label}
      size={size}
      alt={alt}
      actions={choice}
    />
  );
}

const versionText = (version: number): string => t`Version ${version}`;
const photoAndText = (version: number): string => t`Photo and ${version}`;

/** The size of the larger picture, at which both are shown. */
function sizeOf(results: ComparisonResults, ...pictures: readonly ComparedPicture[]): Size | undefined {
  return pictures
    .flatMap((picture) => {
      const { width, height } = results[picture];
      return width === null || height === null ? [] : [{ width, height }];
    })
    .toSorted((one, other) => other.width * other.height - one.width * one.height)[0];
}
