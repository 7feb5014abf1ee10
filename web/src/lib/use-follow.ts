import type { MouseEvent } from 'react';
import { useCallback } from 'react';
import { useNavigate } from 'react-router';

/**
 * Follows the links inside an element like the router's own links, which are too expensive in large numbers. Leaves
 * clicks for a new tab or window, or for a download, to the browser.
 */
export function useFollow(): (event: MouseEvent<HTMLElement>) => void {
  const navigate = useNavigate();
  return useCallback(
    (event) => {
      const link = (event.target as Element).closest('a');
      const isPlain =
        event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
      if (link === null || link.hasAttribute('download') || !isPlain || event.defaultPrevented) return;
      event.preventDefault();
      void navigate(`${link.pathname}${link.search}`, { preventScrollReset: true });
    },
    [navigate],
  );
}
