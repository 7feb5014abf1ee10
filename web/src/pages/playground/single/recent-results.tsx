import { t } from '@lingui/core/macro';
import type { SessionJob } from '../../../api/schema.js';
import { localPath } from '../../../lib/file-path.js';
import { jobLabel, stepsAmount, stepsLabel } from '../../../lib/steps-text.js';
import { usePicture } from '../../../lib/use-picture.js';
import classes from './recent-results.module.css';

export interface RecentResultsProps {
  readonly results: readonly SessionJob[];
  readonly shown: SessionJob | null;
  readonly onShow: (job: SessionJob) => void;
}

/** The results of this photo so far, for comparison. */
export function RecentResults({ results, shown, onShow }: RecentResultsProps) {
  if (results.length < 2) return null;
  return (
    <ul className={classes['list']} aria-label={t`Results for this photo`}>
      {results.map((job) => (
        <li key={job.id}>
          <button
            type="button"
            className={classes['item']}
            aria-label={jobLabel(job.operations)}
            aria-pressed={job.id === shown?.id}
            onClick={() => onShow(job)}
          >
            <ResultPicture url={job.thumbnailUrl} />
            <span className={classes['name']}>{stepsLabel(job.operations)}</span>
            <span className={classes['level']}>{stepsAmount(job.operations)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function ResultPicture({ url }: { readonly url: string | null }) {
  const { attempt, ref, isGone, onError } = usePicture(url);
  if (url === null || isGone) return <span className={classes['gone']} />;
  return <img key={attempt} ref={ref} src={localPath(url)} alt="" width={72} height={54} onError={onError} />;
}
