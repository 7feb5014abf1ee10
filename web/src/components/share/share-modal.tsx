import { t } from '@lingui/core/macro';
import { Button, Checkbox, NativeSelect, Stack, Text } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useState } from 'react';
import { useCreateShareLink } from '../../api/jobs/share-links.js';
import type { CreateShareLink, SessionJob } from '../../api/schema.js';
import { formatDateTime } from '../../lib/format.js';
import { useNow } from '../../lib/use-now.js';
import { Dialog } from '../dialogs/dialog.js';
import { useDialogHold } from '../dialogs/use-dialog-hold.js';
import { ErrorState } from '../notices/error-state.js';
import { CopyBox } from '../text/copy-box.js';
import { ShareLinkRows } from './share-link-rows.js';

type Lifetime = CreateShareLink['expiresIn'];

const LIFETIMES: readonly { readonly value: `${Lifetime}`; readonly label: string }[] = [
  { value: '3600', label: t`1 hour` },
  { value: '86400', label: t`1 day` },
  { value: '604800', label: t`7 days` },
];

const CLOCK_MS = 30_000;

export interface ShareModalProps {
  readonly job: Pick<SessionJob, 'id' | 'result'>;
  readonly name: string;
  readonly onClose: () => void;
}

/** Creates and revokes links by which people without an account can see a result. */
export function ShareModal({ job, name, onClose }: ShareModalProps) {
  const [lifetime, setLifetime] = useState<`${Lifetime}`>('86400');
  const [showsOriginal, setShowsOriginal] = useState(false);
  const create = useCreateShareLink();
  const seconds = Number(lifetime) as Lifetime;
  const resultEnd = job.result?.expiresAt;
  const nowMs = useNow(CLOCK_MS);
  const isCut = resultEnd !== undefined && Date.parse(resultEnd) - nowMs < seconds * 1_000;
  const forget = (id: string): void => {
    if (id === create.data?.id) create.reset();
  };
  return (
    <Dialog title={t`Share ${name}`} onClose={onClose}>
      <Stack gap="md">
        <Text size="sm">{t`Anyone who has the link can see and download the result, without signing in.`}</Text>
        <NativeSelect
          label={t`The link expires after`}
          data-autofocus
          value={lifetime}
          onChange={(event) => setLifetime(event.currentTarget.value as `${Lifetime}`)}
          data={[...LIFETIMES]}
          description={
            isCut
              ? t`The result expires earlier, and the link expires with it: ${formatDateTime(resultEnd)}`
              : undefined
          }
        />
        <Checkbox
          label={t`Also show the original photo`}
          description={t`The original is shared as uploaded. Its metadata may say where it was taken.`}
          checked={showsOriginal}
          onChange={(event) => setShowsOriginal(event.currentTarget.checked)}
        />
        {create.error !== null && <ErrorState error={create.error} />}
        <CreateButton
          isBusy={create.isPending}
          onClick={() => create.mutate({ jobId: job.id, expiresIn: seconds, showsOriginal })}
        />
        {create.data !== undefined && <NewLink url={create.data.url} expiresAt={create.data.expiresAt} />}
        <ShareLinkRows jobId={job.id} onRevoked={forget} />
      </Stack>
    </Dialog>
  );
}

/** The new link is shown only once, so the dialog stays open until it arrives. */
function CreateButton({ isBusy, onClick }: { readonly isBusy: boolean; readonly onClick: () => void }) {
  useDialogHold(isBusy);
  return (
    <div>
      <Button loading={isBusy} leftSection={<IconLink size={16} />} onClick={onClick}>
        {t`Create link`}
      </Button>
    </div>
  );
}

function NewLink({ url, expiresAt }: { readonly url: string; readonly expiresAt: string }) {
  return (
    <Stack gap={6} role="status">
      <CopyBox text={url} label={t`Copy link`} testId="share-url" />
      <Text size="xs" c="dimmed">
        {t`Copy the link now: it is shown only once. It works until ${formatDateTime(expiresAt)}.`}
      </Text>
    </Stack>
  );
}
