import type { ReactNode } from 'react';

export interface ScrollRegionProps {
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A region that scrolls separately and must therefore be reachable with the keyboard (WCAG 2.1.1). */
export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolling is the interaction
    <section className={className} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
