import { t } from '@lingui/core/macro';
import { IconArrowsHorizontal } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import classes from './compare.module.css';
import { clamp } from './view.js';
import { formatPercent } from '../../lib/format.js';

const STEP = 0.02;
const LARGE_STEP = 0.1;

export interface CompareHandleProps {
  /** Fraction of the visible picture that shows "before", 0–1. */
  readonly position: number;
  /** Position in the frame, and height of the picture there, in CSS pixels. */
  readonly style: { readonly left: number; readonly top: number; readonly height: number };
  /** Names of the halves, if not "before" and "after". */
  readonly names?: readonly [string, string] | undefined;
  readonly onMove: (position: number) => void;
}

/** The divider: a slider for the keyboard, and a line to drag with a pointer. */
export function CompareHandle({ position, style, names, onMove }: CompareHandleProps) {
  const percent = Math.round(position * 100);
  const { label, value } = textsOf(percent / 100, names);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moved(event.key, position);
    if (next === undefined) return;
    event.preventDefault();
    onMove(clamp(next, 0, 1));
  };
  return (
    <div
      className={classes['handle']}
      style={style}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={value}
      onKeyDown={onKeyDown}
    >
      <span className={classes['knob']} aria-hidden>
        <IconArrowsHorizontal size={18} />
      </span>
    </div>
  );
}

function textsOf(share: number, names: readonly [string, string] | undefined) {
  const [left, right] = [formatPercent(share), formatPercent(1 - share)];
  if (names === undefined)
    return { label: t`Divider between before and after`, value: t`${left} before, ${right} after` };
  const [before, after] = names;
  return {
    label: t`Divider between ${before} and ${after}`,
    value: t`${left} ${before}, ${right} ${after}`,
  };
}

function moved(key: string, position: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: position - STEP,
    ArrowDown: position - STEP,
    ArrowRight: position + STEP,
    ArrowUp: position + STEP,
    PageDown: position - LARGE_STEP,
    PageUp: position + LARGE_STEP,
    Home: 0,
    End: 1,
  };
  return targets[key];
}
