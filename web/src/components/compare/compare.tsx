import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { formatSize } from '../../lib/format.js';
import classes from './compare.module.css';
import { CompareHandle } from './compare-handle.js';
import { CompareToolbar } from './compare-toolbar.js';
import { useCompareView } from './use-compare-view.js';
import { clamp, type Size } from './view.js';

/** From this zoom on, pixels are not smoothed, because users look at single pixels. */
const PIXELATED_ZOOM = 4;

export interface CompareProps {
  readonly beforeUrl: string;
  readonly afterUrl: string;
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
}

/** Before and after of one photo with a divider, at any zoom up to 800%. */
export function Compare(props: CompareProps) {
  const { beforeUrl, afterUrl, size, label, alt, actions, isSmall = false } = props;
  const { beforeLabel = t`Before`, afterLabel = t`After` } = props;
  const isNamed = props.beforeLabel !== undefined && props.afterLabel !== undefined;
  const view = useCompareView(size);
  const { ref, frame, placed, shown, zoom, scale } = view;
  const divider = shown.left + view.position * (shown.right - shown.left);
  const isPixelated = zoom !== 'fit' && zoom >= PIXELATED_ZOOM;
  const style = { left: placed.x, top: placed.y, width: placed.width, height: placed.height };
  const pictureStyle = { ...style, imageRendering: isPixelated ? ('pixelated' as const) : undefined };
  const shownTop = clamp(placed.y, 0, frame.height);
  const shownBottom = clamp(placed.y + placed.height, 0, frame.height);
  const tagTop = shownTop + 10;
  return (
    <section
      className={classes['root']}
      aria-label={isNamed ? t`${beforeLabel} and ${afterLabel}` : t`Before and after`}
    >
      <CompareToolbar zoom={zoom} scale={scale} onZoom={view.onZoom} onStep={view.onStep}>
        {actions}
      </CompareToolbar>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dragging; the slider in it serves keys */}
      <div
        ref={ref}
        className={classes['frame']}
        data-pan={view.canPan}
        data-small={isSmall}
        role="group"
        aria-label={
          view.canPan
            ? t`Image. Use plus, minus and zero to zoom and the arrow keys to pan.`
            : t`Image. Use plus, minus and zero to zoom.`
        }
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys zoom and pan it
        tabIndex={0}
        {...view.handlers}
      >
        <div className={classes['layer']} style={{ clipPath: `inset(0 ${frame.width - divider}px 0 0)` }}>
          <div className={classes['checks']} style={style} />
          <img src={beforeUrl} alt={`${beforeLabel}: ${alt}`} style={pictureStyle} draggable={false} />
          <span className={classes['tag']} style={{ left: shown.left + 10, top: tagTop }} aria-hidden>
            {beforeLabel}
          </span>
        </div>
        <div className={classes['layer']} style={{ clipPath: `inset(0 0 0 ${divider}px)` }}>
          <div className={classes['checks']} style={style} />
          <img src={afterUrl} alt={`${afterLabel}: ${alt}`} style={pictureStyle} draggable={false} />
          <span
            className={classes['tag']}
            style={{ right: frame.width - shown.right + 10, top: tagTop }}
            aria-hidden
          >
            {afterLabel}
          </span>
        </div>
        <CompareHandle
          position={view.position}
          names={isNamed ? [beforeLabel, afterLabel] : undefined}
          style={{ left: divider, top: shownTop, height: shownBottom - shownTop }}
          onMove={view.setPosition}
        />
      </div>
      <p className={classes['facts']}>
        {label !== undefined && <b>{label}</b>}
        <span>
          <Trans>{formatSize(size)} px</Trans>
        </span>
      </p>
    </section>
  );
}
