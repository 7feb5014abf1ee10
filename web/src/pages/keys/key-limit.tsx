import { Anchor, Text } from '@mantine/core';
import type { Upgrade } from '../../api/schema.js';
import { planLabel } from '../../lib/format.js';
import { Notice } from '../../components/notices/notice.js';

export interface KeyLimitProps {
  readonly active: number;
  readonly limit: number;
  readonly upgrade: Upgrade | null;
}

/** How many keys the plan allows, and the way to more once they are all in use. */
export function KeyLimit({ active, limit, upgrade }: KeyLimitProps) {
  if (active < limit)
    return (
      <Text size="sm" c="dimmed">
        {active} of {limit} {limit === 1 ? 'key' : 'keys'} of your plan in use. Test keys do not count.
      </Text>
    );
  return (
    <Notice
      tone="info"
      title={`Your plan allows ${limit} ${limit === 1 ? 'key' : 'keys'}, and all are in use`}
    >
      <span>
        Revoke one to create another
        {upgrade === null ? '.' : ', or '}
        {upgrade !== null && (
          <Anchor href={upgrade.url} size="sm">
            {upgrade.plan === undefined
              ? 'contact sales to raise the limit'
              : `see the ${planLabel(upgrade.plan)}, which has more`}
          </Anchor>
        )}
        {upgrade !== null && '.'}
      </span>
    </Notice>
  );
}
