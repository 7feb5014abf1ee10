import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import classes from './end-of-list.module.css';

export interface EndOfListProps {
  /** The pages that are there, and how to get the next. */
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
  /** Rows shown above. */
  readonly count: number;
}

/** What stands below a list that is read page by page: older ones, or that there are none. */
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
