import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { ErrorState } from '../notices/error-state.js';
import classes from './end-of-list.module.css';

export interface EndOfListProps {
  /** The loaded pages, and how to load the next one. */
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly isFetchNextPageError?: boolean;
    readonly error?: Error | null;
    readonly fetchNextPage: () => Promise<unknown>;
  };
  /** Number of rows shown above. */
  readonly count: number;
  /** Why the next page could not be loaded. Default: the error of the query, if that page caused it. */
  readonly fault?: Error | null;
}

/** The end of a paginated list: a button for older items, why there are none, or a note that there are no more. */
export function EndOfList({ query, count, fault = faultOf(query) }: EndOfListProps) {
  const more = () => void query.fetchNextPage();
  if (fault !== null && !query.isFetchingNextPage)
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

function faultOf({ isFetchNextPageError, error }: EndOfListProps['query']): Error | null {
  return isFetchNextPageError === true ? (error ?? null) : null;
}

/** The error that belongs above the rows of a list: not that of a further page, which `EndOfList` shows below them. */
export function listFault(query: {
  readonly error: Error | null;
  readonly isFetchNextPageError: boolean;
}): Error | null {
  return query.isFetchNextPageError ? null : query.error;
}
