import { t } from '@lingui/core/macro';
import { ActionIcon, Checkbox, Text } from '@mantine/core';
import { IconDownload, IconPhotoOff, IconPhotoSpark, IconShare } from '@tabler/icons-react';
import { memo } from 'react';
import { Link } from 'react-router';
import { downloadPath } from '../../api/jobs/download-path.js';
import { localPath } from '../../lib/file-path.js';
import { formatBytes, formatSize } from '../../lib/format.js';
import { jobLabel } from '../../lib/steps-text.js';
import { usePicture } from '../../lib/use-picture.js';
import { type KeptResult, nameOf } from './kept-result.js';
import classes from './result-tile.module.css';

export interface ResultTileProps {
  readonly job: KeptResult;
  readonly isSelected: boolean;
  readonly onToggle: (id: string) => void;
  /** Null for roles that may not share. */
  readonly onShare: ((job: KeptResult) => void) | null;
}

/** One result, and what can be done with it at once. */
export const ResultTile = memo(function ResultTile({ job, isSelected, onToggle, onShare }: ResultTileProps) {
  const name = nameOf(job);
  const made = jobLabel(job.operations);
  return (
    <article className={classes['root']} aria-label={`${name}, ${made}`} data-selected={isSelected}>
      <Link to={`/jobs/${job.id}`} className={classes['picture'] ?? ''} aria-label={t`Open ${name}, ${made}`}>
        <ResultPicture url={job.thumbnailUrl} />
      </Link>
      <Checkbox
        className={classes['check'] ?? ''}
        aria-label={t`Select ${name}, ${made}`}
        checked={isSelected}
        onChange={() => onToggle(job.id)}
      />
      <div className={classes['facts']}>
        <Text size="sm" fw={500} truncate title={name}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" truncate title={made}>
          {made}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {formatSize(job.result)} · {formatBytes(job.result.bytes)}
        </Text>
      </div>
      <div className={classes['actions']}>
        {onShare !== null && (
          <ActionIcon
            component={Link}
            to={`/playground?result=${job.id}`}
            variant="default"
            size={30}
            title={t`Enhance again`}
            aria-label={t`Enhance ${name} again`}
          >
            <IconPhotoSpark size={16} stroke={1.7} />
          </ActionIcon>
        )}
        {onShare !== null && job.retention !== 'deliver' && (
          <ActionIcon
            variant="default"
            size={30}
            title={t`Share`}
            aria-label={t`Share ${name}`}
            onClick={() => onShare(job)}
          >
            <IconShare size={16} stroke={1.7} />
          </ActionIcon>
        )}
        <ActionIcon
          component="a"
          href={downloadPath(job.id)}
          download
          variant="default"
          size={30}
          title={t`Download`}
          aria-label={t`Download ${name}`}
        >
          <IconDownload size={16} stroke={1.7} />
        </ActionIcon>
      </div>
    </article>
  );
});

function ResultPicture({ url }: { readonly url: string | null }) {
  const { attempt, isGone, onError } = usePicture(url);
  if (url === null || isGone) return <IconPhotoOff size={22} stroke={1.5} aria-hidden />;
  return <img key={attempt} src={localPath(url)} alt="" loading="lazy" decoding="async" onError={onError} />;
}
