import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import type { InvitationLink } from '../../api/schema.js';
import { CopyBox } from '../../components/text/copy-box.js';
import { formatDay } from '../../lib/format.js';
import { ROLE_LABELS } from '../../lib/role-texts.js';

export interface LinkShownProps {
  readonly link: InvitationLink;
  readonly onDone: () => void;
}

/** The link of an invitation, which the service cannot show again. */
export function LinkShown({ link, onDone }: LinkShownProps) {
  const { email, role, url, expiresAt, mail } = link;
  const roleLabel = ROLE_LABELS[role];
  const day = formatDay(expiresAt);
  return (
    <Stack gap="md">
      <Text size="sm">
        {mail === null
          ? t`Send this link to ${email}. It gives them the ${roleLabel} role, works once and expires on ${day}.`
          : t`We're emailing this link to ${email}. It gives them the ${roleLabel} role, works once and expires on ${day}. You can also send it yourself.`}
      </Text>
      <CopyBox text={url} label={t`Copy link`} testId="invitation-link" />
      <Text size="sm" c="dimmed">
        {t`The link is shown only now. You can create a new one at any time.`}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {t`Done`}
        </Button>
      </Group>
    </Stack>
  );
}
