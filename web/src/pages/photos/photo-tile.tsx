import { t } from '@lingui/core/macro';
import { Button, Paper, Text } from '@mantine/core';
import { IconPhotoOff, IconPhotoSpark, IconTrash } from '@tabler/icons-react';
import type { SessionSource } from '../../api/schema.js';
import { thumbnailOf } from '../../api/uploads/sources.js';
import { Link } from 'react-router';
import { RelativeTime } from '../../components/times/relative-time.js';
import { localPath } from '../../lib/file-path.js';
import { formatBytes, formatSize } from '../../lib/format.js';
import { usePicture } from '../../lib/use-picture.js';
import classes from './photo-tile.module.css';
import { photoName } from './photo-name.js';

export interface PhotoTileProps {
  readonly source: SessionSource;
  /** Whether the role may create jobs and delete photos. */
  readonly mayChange: boolean;
  readonly onDelete: () => void;
}

/** One photo with its size. Opens the photo in full size. */
export function PhotoTile({ source, mayChange, onDelete }: PhotoTileProps) {
  const { url, width, height, bytes, createdAt } = source;
  const name = photoName(source);
  return (
    <Paper withBorder component="article" aria-label={name} className={classes['root']}>
      <a
        className={classes['picture']}
        href={localPath(url)}
        target="_blank"
        rel="noreferrer"
        aria-label={t`Open ${name}`}
      >
        <Picture url={thumbnailOf(source)} />
      </a>
      <div className={classes['facts']}>
        <Text size="sm" fw={600} truncate title={name}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {formatSize({ width, height })} · {formatBytes(bytes)}
        </Text>
        <Text size="xs" c="dimmed">
          <RelativeTime iso={createdAt} />
        </Text>
      </div>
      {mayChange && (
        <div className={classes['actions']}>
          <Button
            component={Link}
            to={`/playground?photo=${source.id}`}
            size="xs"
            variant="default"
            px={8}
            leftSection={<IconPhotoSpark size={14} />}
            aria-label={t`Enhance ${name}`}
          >
            {t`Enhance`}
          </Button>
          <Button
            size="xs"
            variant="default"
            px={8}
            leftSection={<IconTrash size={14} />}
            c="var(--mantine-color-error)"
            aria-label={t`Delete ${name}`}
            onClick={onDelete}
          >
            {t`Delete`}
          </Button>
        </div>
      )}
    </Paper>
  );
}

function Picture({ url }: { readonly url: string }) {
  const { attempt, ref, isGone, onError } = usePicture(url);
  if (isGone) return <IconPhotoOff size={22} stroke={1.5} aria-hidden />;
  return (
    <img
      key={attempt}
      ref={ref}
      src={url}
      alt=""
      loading="lazy"
      fetchPriority="low"
      decoding="async"
      onError={onError}
    />
  );
}
