import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconPhotoPlus } from '@tabler/icons-react';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiError } from 'image-enhancement-client';
import { useNavigate } from 'react-router';
import { LeaveGuard } from '../../../components/dialogs/leave-guard.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { Notice } from '../../../components/notices/notice.js';
import { type GivenPhotos, sortFiles } from '../../../components/photo/photo-file.js';
import { usePhotoIntake } from '../../../components/photo/use-photo-intake.js';
import { formatBytes, formatNumber } from '../../../lib/format.js';
import classes from '../playground-layout.module.css';
import { orderOf, type Recipe } from '../recipe/recipe.js';
import { RunCost } from '../run/run-cost.js';
import { type Allowance, useAllowance } from '../run/use-allowance.js';
import { countsOf } from './many-item.js';
import { ManyList } from './many-list.js';
import { useManyPhotos } from './use-many-photos.js';

const NO_ESTIMATE = { answer: null, error: null };
/** If there are more reasons, only their number is shown. */
const SHOWN_REASONS = 5;

export interface ManyPhotosProps {
  readonly recipe: Recipe;
  readonly editor: ReactNode;
  readonly photos: GivenPhotos;
  readonly onPhotos: (photos: GivenPhotos) => void;
  readonly onLeave: () => void;
}

/** Several photos that become a batch. Adding other photos replaces all of them. */
export function ManyPhotos(props: ManyPhotosProps) {
  const [key, setKey] = useState(0);
  const { onPhotos } = props;
  const replace = useCallback(
    (photos: GivenPhotos) => {
      setKey((before) => before + 1);
      onPhotos(photos);
    },
    [onPhotos],
  );
  return <Batch key={key} {...props} onPhotos={replace} />;
}

function Batch({ recipe, editor, photos, onPhotos, onLeave }: ManyPhotosProps) {
  const navigate = useNavigate();
  const { items, phase, error, start, proceed, stop, keepFirst } = useManyPhotos(
    photos,
    (id) => void navigate(`/batches/${id}`),
  );
  const [fault, setFault] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isBusy = phase === 'uploading' || phase === 'creating';
  const take = useCallback(
    (files: readonly File[], folder: string | null, unread: readonly string[] = []) => {
      const given = sortFiles(files, folder, unread);
      if (isBusy) setFault(t`Wait until the photos are uploaded, or cancel the upload, before you add more.`);
      else if (given.photos.length === 0) setFault(given.refused[0]?.reason ?? null);
      else onPhotos(given);
    },
    [isBusy, onPhotos],
  );
  usePhotoIntake(take);
  const counts = countsOf(items);
  const allowance = useAllowance(recipe.steps.length, items.length - counts.failed);
  const order = orderOf(recipe);
  const words = plural(items.length, { one: '# photo', other: '# photos' });
  return (
    <div className={classes['layout']}>
      <section className={classes['stage']} aria-label={t`Photos to enhance`}>
        <Group justify="space-between" gap="sm" mb="sm">
          <Text size="sm">
            {photos.folder !== null && <b>{photos.folder}: </b>}
            {words}, {formatBytes(counts.totalBytes)}
          </Text>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPhotoPlus size={14} />}
            disabled={isBusy}
            onClick={onLeave}
          >
            {t`Choose other photos`}
          </Button>
        </Group>
        <Stack gap="sm">
          <Refused photos={photos} />
          {fault !== null && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {fault}
            </Text>
          )}
          {isBusy && (
            <div>
              <Progress
                value={(counts.storedBytes / Math.max(1, counts.totalBytes)) * 100}
                aria-label={t`Uploaded`}
              />
              <Text size="sm" c="dimmed" mt={6} aria-live="polite">
                {phase === 'creating'
                  ? t`Creating the batch`
                  : t`Uploaded ${formatNumber(counts.stored)} of ${words}`}
              </Text>
            </div>
          )}
          <ManyList items={items} />
        </Stack>
      </section>
      <form
        className={classes['controls']}
        aria-label={t`Enhancement`}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && allowance.refusal === null) void start(order);
        }}
      >
        {editor}
        {error !== null && !isSaid(error, allowance) && <ErrorState error={error} takesFocus />}
        {phase === 'stopped' && (
          <Notice
            tone="warn"
            role="alert"
            takesFocus
            title={t`${formatNumber(counts.failed)} of ${words} couldn't be uploaded`}
          >
            <Group gap="xs" mt={6}>
              <Button type="submit" size="xs" variant="default">
                {t`Try again`}
              </Button>
              {counts.stored > 0 && (
                <Button size="xs" onClick={() => void proceed(order)}>
                  <Trans>Enhance the other {formatNumber(counts.stored)}</Trans>
                </Button>
              )}
            </Group>
          </Notice>
        )}
        {phase !== 'stopped' && (
          <Button
            ref={button}
            type={isBusy ? 'button' : 'submit'}
            size="md"
            fullWidth
            variant={isBusy ? 'default' : 'filled'}
            disabled={phase === 'creating' || (!isBusy && allowance.refusal !== null)}
            onClick={(event) => {
              // The second click of a double click would undo the first.
              if (event.detail > 1) return event.preventDefault();
              if (!isBusy) return;
              event.preventDefault();
              stop();
            }}
          >
            {isBusy ? t`Cancel` : t`Enhance ${words}`}
          </Button>
        )}
        {!isBusy && (
          <RunCost
            allowance={allowance}
            isRepeated={false}
            estimate={NO_ESTIMATE}
            onEstimate={undefined}
            isStoring={false}
          />
        )}
        {!isBusy && allowance.fit > 0 && (
          <Button
            variant="default"
            onClick={() => {
              flushSync(() => keepFirst(allowance.fit));
              // Moves the focus, because the focused button has disappeared.
              button.current?.focus();
            }}
          >
            {plural(allowance.fit, {
              one: 'Keep only the first photo',
              other: 'Keep only the first # photos',
            })}
          </Button>
        )}
      </form>
      {/* A batch that is being created is created even if the user opens another page of the dashboard. */}
      <LeaveGuard
        isOn={phase === 'uploading'}
        isSending={phase === 'creating'}
        title={t`Stop uploading?`}
        text={t`The batch hasn't been created yet. Uploaded photos stay under Photos.`}
        action={t`Stop and leave`}
      />
    </div>
  );
}

/** Whether the quota, which is shown anyway, is the reason. */
function isSaid(error: Error, { refusal }: Allowance): boolean {
  return refusal !== null && error instanceof ApiError && error.code === 'quota_exceeded';
}

function Refused({ photos: { refused } }: { readonly photos: GivenPhotos }) {
  if (refused.length === 0) return null;
  const more = refused.length - SHOWN_REASONS;
  return (
    <Notice
      tone="info"
      role="status"
      title={t`${formatNumber(refused.length)} of the files can't be enhanced`}
    >
      {refused.slice(0, SHOWN_REASONS).map(({ name, reason }) => (
        <Text size="sm" key={name}>
          {reason}
        </Text>
      ))}
      {more > 0 && (
        <Text size="sm">
          <Trans>And {formatNumber(more)} more.</Trans>
        </Text>
      )}
    </Notice>
  );
}
