import { encode } from 'uqr';
import classes from './security-page.module.css';

/** Width of the white border, in modules, as required by ISO/IEC 18004. */
const QUIET_ZONE = 4;

export interface QrCodeProps {
  readonly text: string;
  /** A description for screen readers. */
  readonly label: string;
}

/** A QR code that is drawn in the browser, so that the text is not sent anywhere. */
export function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={classes['qr']}
    >
      <path d={pathOf(data)} fill="#000" />
    </svg>
  );
}

/** One square for each dark module. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  const squares = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return squares.join('');
}
