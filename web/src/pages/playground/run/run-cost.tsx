import { t } from '@lingui/core/macro';
import { Anchor, Button, Text } from '@mantine/core';
import type { DryRun } from 'image-enhancement-client';
import { Link } from 'react-router';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Notice } from '../../../components/notices/notice.js';
import { formatEstimate, formatName, formatSize } from '../../../lib/format.js';
import type { Allowance } from './use-allowance.js';
import type { Estimate } from './use-estimate.js';

export interface RunCostProps {
  readonly allowance: Allowance;
  /** Whether these settings were already run on this photo. */
  readonly isRepeated: boolean;
  readonly estimate: Estimate;
  /** Uploads the photo, which an estimate requires; undefined when it is already stored, or there is none. */
  readonly onEstimate: (() => void) | undefined;
  readonly isStoring: boolean;
}

/** The cost, duration, and output of the next run. */
export function RunCost(props: RunCostProps) {
  const { allowance, isRepeated, estimate, onEstimate, isStoring } = props;
  const { refusal, cost, isPartial } = allowance;
  if (refusal !== null)
    return (
      <Notice
        tone="warn"
        title={isPartial ? t`Not enough enhancements left` : t`You've reached your plan's limit`}
      >
        <Text size="sm">{refusal}</Text>
        <Text size="sm" mt={4}>
          <Anchor component={Link} to="/usage" inherit>
            {t`View usage and plans`}
          </Anchor>
        </Text>
      </Notice>
    );
  return (
    <div>
      {isRepeated && (
        <Notice tone="info" title={t`You already have this result`}>
          <Text size="sm">{t`Running it again with the same settings counts as another enhancement.`}</Text>
        </Notice>
      )}
      <Text size="sm" c="dimmed" ta="center" mih={22} mt={isRepeated ? 10 : 0}>
        {cost}
      </Text>
      {estimate.answer !== null && (
        <Text size="sm" c="dimmed" ta="center" aria-live="polite" style={{ textWrap: 'balance' }}>
          {estimateText(estimate.answer)}
        </Text>
      )}
      {estimate.error !== null && <ErrorState error={estimate.error} />}
      {onEstimate !== undefined && (
        <Text ta="center">
          <Button variant="subtle" size="compact-sm" loading={isStoring} onClick={onEstimate}>
            {t`Estimate time and size`}
          </Button>
        </Text>
      )}
    </div>
  );
}

/** `Takes about 4 seconds. Result: PNG, 8,064 × 6,048` */
function estimateText({ estimatedSeconds, result, output, cached }: DryRun): string {
  const format = formatName(result.format);
  const size = output.crop === undefined ? formatSize(result) : t`at most ${formatSize(result)}`;
  if (cached === true) return t`Free, because you already have this result: ${format}, ${size}`;
  if (estimatedSeconds === null) return t`Waits for a worker. Result: ${format}, ${size}`;
  return t`Takes ${formatEstimate(estimatedSeconds)}. Result: ${format}, ${size}`;
}
