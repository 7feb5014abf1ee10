import { t } from '@lingui/core/macro';
import classes from './compare.module.css';
import { CompareFacts } from './compare-facts.js';
import { CompareHandle } from './compare-handle.js';
import type { CompareProps } from './compare-props.js';
import { CompareToolbar } from './compare-toolbar.js';
import { SideBySide } from './side-by-side.js';
import { useCompareView } from './use-compare-view.js';
import { clamp } from './view.js';

/** From this zoom on, pixels are not smoothed, because users look at single pixels. */
const PIXELATED_ZOOM = 4;

/** Before and after of one photo, under a divider if their pixels coincide. */
export function Compare({ isApart = false, ...props }: CompareProps) {
  return isApart ? <SideBySide {...props} /> : <Divided {...props} />;
}

/** With a divider, at any zoom up to 800%. */
function Divided(props: Omit<CompareProps, 'isApart'>) {
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
          <img
            src={beforeUrl}
            alt={`${beforeLabel}: ${alt}`}
            style={pictureStyle}
            draggable={false}
            onError={props.onBeforeMissing}
          />
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
      <CompareFacts label={label} size={size} />
    </section>
  );
}
