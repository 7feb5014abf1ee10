import type { MouseEvent } from 'react';

/**
 * The properties of the overlay of a dialog or panel. The second click of the double click that opened it lands on the
 * overlay, and would close it at once.
 */
export const OVERLAY_PROPS = {
  onClickCapture: (event: MouseEvent) => event.detail > 1 && event.stopPropagation(),
};
