import { t } from '@lingui/core/macro';
import { IconDownload, IconPhotoOff, IconPhotoSpark, IconShare } from '@tabler/icons-react';
import { memo, useState } from 'react';
import { downloadPath } from '../../api/jobs/download-path.js';
import { isErasedOnceRead } from '../../api/jobs/job.js';
import { resultFault } from '../../components/photo/photo-file.js';
import { localPath } from '../../lib/file-path.js';
import { formatBytes, formatSize } from '../../lib/format.js';
import { jobLabel } from '../../lib/steps-text.js';
import { usePicture } from '../../lib/use-picture.js';
import { type KeptResult, nameOf } from './kept-result.js';
import classes from './result-tile.module.css';

export interface ResultTileProps {
  readonly job: KeptResult;
  readonly isSelected: boolean;
  /** Whether its picture and buttons may wait, because the grid scrolls fast. */
  readonly isPassing: boolean;
  readonly onToggle: (id: string) => void;
  /** Null for roles that may not share. */
  readonly onShare: ((job: KeptResult) => void) | null;
}

/**
 * One result with its main actions. Uses plain elements, because dozens of tiles are mounted in one frame, and the
 * components of the library would cost several times as much. The grid handles clicks on links.
 */
export const ResultTile = memo(function ResultTile(props: ResultTileProps) {
  const { job, isSelected, isPassing } = props;
  const name = nameOf(job);
  const made = jobLabel(job.operations);
  // Once complete, a tile stays so, in order not to lose its picture when the grid starts to scroll fast.
  const [isWhole, setIsWhole] = useState(!isPassing);
  if (!isPassing && !isWhole) setIsWhole(true);
  return (
    <article className={classes['root']} aria-label={`${name}, ${made}`} data-selected={isSelected}>
      <a href={`/jobs/${job.id}`} className={classes['picture']} aria-label={t`Open ${name}, ${made}`}>
        {isWhole && <ResultPicture url={job.thumbnailUrl} />}
      </a>
      <div className={classes['facts']}>
        <span className={classes['name']} title={name}>
          {name}
        </span>
        <span className={classes['fact']} title={made}>
          {made}
        </span>
        <span className={classes['fact']}>
          {formatSize(job.result)} · {formatBytes(job.result.bytes)}
        </span>
      </div>
      {isWhole && <TileControls {...props} name={name} made={made} />}
    </article>
  );
});

interface TileControlsProps extends ResultTileProps {
  readonly name: string;
  readonly made: string;
}

function TileControls({ job, name, made, isSelected, onToggle, onShare }: TileControlsProps) {
  const isErased = isErasedOnceRead(job);
  return (
    <>
      <label className={classes['check']}>
        <input
          type="checkbox"
          aria-label={t`Select ${name}, ${made}`}
          checked={isSelected}
          onChange={() => onToggle(job.id)}
        />
      </label>
      <div className={classes['actions']}>
        {onShare !== null && !isErased && <EnhanceAgain job={job} name={name} />}
        {onShare !== null && !isErased && (
          <button
            type="button"
            className={classes['action']}
            title={t`Share`}
            aria-label={t`Share ${name}`}
            onClick={() => onShare(job)}
          >
            <IconShare size={16} stroke={1.7} />
          </button>
        )}
        <a
          className={classes['action']}
          href={downloadPath(job.id)}
          download
          title={isErased ? t`Download and delete` : t`Download`}
          aria-label={isErased ? t`Download and delete ${name}` : t`Download ${name}`}
        >
          <IconDownload size={16} stroke={1.7} />
        </a>
      </div>
    </>
  );
}

function EnhanceAgain({ job, name }: Pick<TileControlsProps, 'job' | 'name'>) {
  const fault = resultFault(job.result);
  const label = t`Enhance ${name} again`;
  const icon = <IconPhotoSpark size={16} stroke={1.7} />;
  if (fault !== null)
    return (
      <button type="button" className={classes['action']} disabled title={fault} aria-label={label}>
        {icon}
      </button>
    );
  const href = `/playground?result=${job.id}`;
  return (
    <a className={classes['action']} href={href} title={t`Enhance again`} aria-label={label}>
      {icon}
    </a>
  );
}

function ResultPicture({ url }: { readonly url: string | null }) {
  const { attempt, ref, isGone, onError } = usePicture(url);
  if (url === null || isGone) return <IconPhotoOff size={22} stroke={1.5} aria-hidden />;
  return (
    <img
      key={attempt}
      ref={ref}
      src={localPath(url)}
      alt=""
      loading="lazy"
      fetchPriority="low"
      decoding="async"
      onError={onError}
    />
  );
}
