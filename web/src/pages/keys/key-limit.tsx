import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Upgrade } from '../../api/schema.js';
import { planLabel } from '../../lib/format.js';
import { Notice } from '../../components/notices/notice.js';

export interface KeyLimitProps {
  readonly active: number;
  readonly limit: number;
  readonly upgrade: Upgrade | null;
}

/** How many keys the plan allows, with a link to upgrade when all are in use. */
export function KeyLimit({ active, limit, upgrade }: KeyLimitProps) {
  if (active < limit)
    return (
      <Text size="sm" c="dimmed">
        {t`${active} of your plan's ${plural(limit, { one: '# key', other: '# keys' })} in use. Test keys don't count.`}
      </Text>
    );
  return (
    <Notice
      tone="info"
      title={plural(limit, {
        one: 'Your plan allows # key, and it is in use',
        other: 'Your plan allows # keys, and all are in use',
      })}
    >
      <span>
        {upgrade === null && t`Revoke one to create another.`}
        {upgrade !== null && (
          <Trans>
            Revoke one to create another, or{' '}
            <Anchor href={upgrade.url} size="sm">
              {upgrade.plan === undefined
                ? t`contact sales to raise the limit`
                : t`see the ${planLabel(upgrade.plan)}, which has more`}
            </Anchor>
            . You can request a plan on the{' '}
            <Anchor component={Link} to="/usage" size="sm">
              Usage
            </Anchor>{' '}
            page.
          </Trans>
        )}
      </span>
    </Notice>
  );
}
