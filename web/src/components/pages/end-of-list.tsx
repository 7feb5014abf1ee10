import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { ErrorState } from '../notices/error-state.js';
import classes from './end-of-list.module.css';

export interface EndOfListProps {
  /** The loaded pages, and how to load the next one. */
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
  /** Number of rows shown above. */
  readonly count: number;
  /** Why the next page could not be loaded. Omitted where the page itself shows errors. */
  readonly fault?: Error | null;
}

/** The end of a paginated list: a button for older items, or a note that there are none. */
export function EndOfList({ query, count, fault = null }: EndOfListProps) {
  const more = () => void query.fetchNextPage();
  if (fault !== null)
    return (
      <div className={classes['end']}>
        <ErrorState error={fault} onRetry={more} />
      </div>
    );
  return (
    <div className={classes['end']}>
      {query.hasNextPage ? (
        <Button variant="default" loading={query.isFetchingNextPage} onClick={more}>
          {t`Load more`}
        </Button>
      ) : (
        count > 0 && (
          <Text size="sm" c="dimmed">
            {t`End of list`}
          </Text>
        )
      )}
    </div>
  );
}
