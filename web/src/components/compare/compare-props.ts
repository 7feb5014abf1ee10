import type { ReactNode } from 'react';
import type { Size } from './view.js';

/** Two pictures to compare. */
export interface CompareProps {
  readonly beforeUrl: string;
  readonly afterUrl: string;
  /** Called if the first picture cannot be loaded. */
  readonly onBeforeMissing?: () => void;
  /** Size of the result in pixels; the source is shown at the same size. */
  readonly size: Size;
  /** Names of the halves. Default: before and after. */
  readonly beforeLabel?: string;
  readonly afterLabel?: string;
  /** What created the result, where the page does not show it. */
  readonly label?: string;
  /** A description of the picture, for people who cannot see it. */
  readonly alt: string;
  /** Actions next to the zoom controls, such as a download. */
  readonly actions?: ReactNode;
  /** Reduces the height, for a drawer. */
  readonly isSmall?: boolean;
  /** Shows the pictures side by side, because their pixels do not coincide. */
  readonly isApart?: boolean;
}
