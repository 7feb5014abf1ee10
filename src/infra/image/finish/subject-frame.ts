import type { Shadow } from '../../../kernel/output-options.js';
import type { Region } from '../../../kernel/pixels.js';

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface FrameOptions {
  /** Space around the subject, as a share of its longer side. */
  readonly padding: number;
  readonly shadow?: Shadow | undefined;
}

/** Shares are not exact: a tenth of 400 pixels may come out as 40.000000000000004. */
const ROUNDING = 1e-6;
/** A Gaussian is invisible beyond this many standard deviations. */
const SHADOW_REACH = 2.5;
/** A subject this close to an edge of the picture, as a share of that side, continues beyond it. */
const TOUCHES_WITHIN = 0.005;

/**
 * The part of a picture that a crop to the subject shows: the subject, its padding and its shadow. It may extend beyond
 * the picture, but not on a side where the picture cuts the subject off, because space there would expose the cut.
 * @param subject inside the picture
 */
export function subjectFrame(subject: Region, picture: Size, options: FrameOptions): Region {
  const margins = marginsOf(Math.max(subject.width, subject.height), options);
  const [left, right] = span(
    { start: subject.x, end: subject.x + subject.width, size: picture.width },
    margins.left,
    margins.right,
  );
  const [top, bottom] = span(
    { start: subject.y, end: subject.y + subject.height, size: picture.height },
    margins.top,
    margins.bottom,
  );
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The largest frame that `subjectFrame` returns for a picture of this size. */
export function largestFrame(picture: Size, options: FrameOptions): Size {
  const margins = marginsOf(Math.max(picture.width, picture.height), options);
  return {
    width: picture.width + margins.left + margins.right,
    height: picture.height + margins.top + margins.bottom,
  };
}

/** Space on each side in pixels: the padding, or the shadow where it extends farther. */
function marginsOf(subjectSide: number, { padding, shadow }: FrameOptions) {
  const share = (reach: number): number => Math.ceil(Math.max(padding, reach) * subjectSide - ROUNDING);
  if (shadow === undefined) return { left: share(0), right: share(0), top: share(0), bottom: share(0) };
  const blur = SHADOW_REACH * shadow.blur;
  return {
    left: share(blur - shadow.offsetX),
    right: share(blur + shadow.offsetX),
    top: share(blur - shadow.offsetY),
    bottom: share(blur + shadow.offsetY),
  };
}

function span(
  { start, end, size }: { readonly start: number; readonly end: number; readonly size: number },
  before: number,
  after: number,
): readonly [number, number] {
  const touching = size * TOUCHES_WITHIN;
  return [start <= touching ? 0 : start - before, size - end <= touching ? size : end + after];
}
