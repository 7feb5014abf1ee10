import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
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
}

/** The end of a paginated list: a button for older items, or a note that there are none. */
export function EndOfList({ query, count }: EndOfListProps) {
  return (
    <div className={classes['end']}>
      {query.hasNextPage ? (
        <Button
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
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
