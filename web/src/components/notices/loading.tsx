import { t } from '@lingui/core/macro';
import { Skeleton, type SkeletonProps } from '@mantine/core';

export type LoadingProps = Pick<SkeletonProps, 'height' | 'mb'>;

/** Stands in the place of what is loading, and says so to screen readers. */
export function Loading(props: LoadingProps) {
  // A label without a role is not read aloud.
  return <Skeleton {...props} role="progressbar" aria-label={t`Loading`} />;
}
