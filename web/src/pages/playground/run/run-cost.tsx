import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Notice } from '../../../components/notices/notice.js';
import type { Allowance } from './use-allowance.js';

export interface RunCostProps {
  readonly allowance: Allowance;
  /** Whether these settings were run on this photo already. */
  readonly isRepeated: boolean;
}

/** What the button above costs, before it is pressed. */
export function RunCost({ allowance: { refusal, cost }, isRepeated }: RunCostProps) {
  if (refusal !== null)
    return (
      <Notice tone="warn" title="Your plan has no room left">
        <Text size="sm">{refusal}</Text>
        <Text size="sm" mt={4}>
          <Anchor component={Link} to="/usage" inherit>
            View usage and plans
          </Anchor>
        </Text>
      </Notice>
    );
  return (
    <div>
      {isRepeated && (
        <Notice tone="info" title="You already have this result">
          <Text size="sm">Enhancing again with the same settings counts once more.</Text>
        </Notice>
      )}
      <Text size="sm" c="dimmed" ta="center" mih={22} mt={isRepeated ? 10 : 0}>
        {cost}
      </Text>
    </div>
  );
}
