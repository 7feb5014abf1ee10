import { t } from '@lingui/core/macro';
import { useFastScroll } from '../../lib/use-fast-scroll.js';
import { useFollow } from '../../lib/use-follow.js';
import type { KeptResult } from './kept-result.js';
import { ResultTile, type ResultTileProps } from './result-tile.js';
import classes from './results-page.module.css';
import { useGridRows } from './use-grid-rows.js';

export interface ResultGridProps extends Pick<ResultTileProps, 'onToggle' | 'onShare'> {
  readonly results: readonly KeptResult[];
  readonly isSelected: (id: string) => boolean;
  readonly hasMore: boolean;
}

/** A grid of any size. Only the tiles near the viewport are in the DOM. */
export function ResultGrid({ results, isSelected, hasMore, onToggle, onShare }: ResultGridProps) {
  const { grid, first, end, padding } = useGridRows(results.length);
  const isPassing = useFastScroll();
  const follow = useFollow();
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- follows its links, which have keys
    <ul ref={grid} className={classes['grid']} style={padding} aria-label={t`Results`} onClick={follow}>
      {results.slice(first, end).map((job, index) => (
        <li key={job.id} aria-posinset={first + index + 1} aria-setsize={hasMore ? -1 : results.length}>
          <ResultTile
            job={job}
            isSelected={isSelected(job.id)}
            isPassing={isPassing}
            onToggle={onToggle}
            onShare={onShare}
          />
        </li>
      ))}
    </ul>
  );
}
