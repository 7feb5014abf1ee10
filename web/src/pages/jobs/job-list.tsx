import { t } from '@lingui/core/macro';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { SessionJob } from '../../api/schema.js';
import { useFastScroll } from '../../lib/use-fast-scroll.js';
import { useFollow } from '../../lib/use-follow.js';
import { useNow } from '../../lib/use-now.js';
import classes from './job-list.module.css';
import { JobRow } from './job-row.js';

const ROW_HEIGHT = 64;
const OVERSCAN = 8;
/** The next page is requested when fewer rows than this remain. */
const AHEAD_ROWS = 30;
const CLOCK_MS = 30_000;

export interface JobListProps {
  readonly jobs: readonly SessionJob[];
  readonly search: string;
  readonly hasMore: boolean;
  readonly onMore: () => void;
}

/** A list of any length. Only the visible rows are in the DOM. The arrow keys move between rows. */
export function JobList({ jobs, search, hasMore, onMore }: JobListProps) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const nowMs = useNow(CLOCK_MS);
  const isPassing = useFastScroll();
  const follow = useFollow();
  useEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const rows = useWindowVirtualizer({
    count: jobs.length,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => jobs[index]?.id ?? index,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  const items = rows.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && lastIndex >= jobs.length - AHEAD_ROWS) onMore();
  }, [hasMore, lastIndex, jobs.length, onMore]);
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a short cut between its links
    <ul
      ref={list}
      className={classes['list']}
      style={{ height: jobs.length * ROW_HEIGHT }}
      aria-label={t`Jobs`}
      onKeyDown={moveBetweenRows}
      onClick={follow}
    >
      {items.map(({ index, key }) => {
        const job = jobs[index];
        return (
          job !== undefined && (
            <JobRow
              key={key}
              job={job}
              index={index}
              setSize={hasMore ? -1 : jobs.length}
              top={index * ROW_HEIGHT}
              search={search}
              nowMs={nowMs}
              isPassing={isPassing}
            />
          )
        );
      })}
    </ul>
  );
}

function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const from = (event.target as HTMLElement).closest('li')?.dataset['index'];
  const next = event.currentTarget.querySelector<HTMLElement>(`[data-index="${Number(from) + step}"] a`);
  if (step === 0 || !next) return;
  event.preventDefault();
  next.focus();
}
