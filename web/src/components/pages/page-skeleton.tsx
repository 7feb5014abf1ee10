import { t } from '@lingui/core/macro';
import { Skeleton } from '@mantine/core';

/** Shows the outline of a page while it loads. */
export function PageSkeleton() {
  return (
    <div aria-busy="true" role="progressbar" aria-label={t`Loading`}>
      <Skeleton height={30} width={200} mb={10} />
      <Skeleton height={18} width={320} maw="100%" mb={28} />
      <Skeleton height={320} />
    </div>
  );
}
