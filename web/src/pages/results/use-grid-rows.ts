import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react';

const OVERSCAN_ROWS = 2;
/** Used until a tile has been measured. */
const FIRST_GUESS = { columns: 4, rowHeight: 300, top: 0 };

/**
 * Determines which tiles of a long grid are in the DOM: the visible ones, and a few rows above and below. Every tile is
 * as high as the first one. New tiles are rendered with low priority, in small pieces that delay no frame.
 * @returns what to render, and the padding that replaces the rest
 */
export function useGridRows(count: number) {
  const grid = useRef<HTMLUListElement>(null);
  const [{ columns, rowHeight, top }, setLayout] = useState(FIRST_GUESS);
  useLayoutEffect(() => {
    const list = grid.current;
    if (list === null) return;
    const measure = () => {
      const { gridTemplateColumns, rowGap } = getComputedStyle(list);
      const tileHeight = list.firstElementChild?.getBoundingClientRect().height ?? 0;
      if (tileHeight === 0) return;
      const next = {
        columns: gridTemplateColumns.split(' ').length,
        rowHeight: tileHeight + Number.parseFloat(rowGap),
        top: list.offsetTop,
      };
      setLayout((now) => (isSame(now, next) ? now : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(list);
    return () => observer.disconnect();
  }, []);
  const rows = useWindowVirtualizer({
    count: Math.ceil(count / columns),
    estimateSize: () => rowHeight,
    overscan: OVERSCAN_ROWS,
    scrollMargin: top,
  });
  useLayoutEffect(() => rows.measure(), [rows, rowHeight, columns]);
  const shown = rows.getVirtualItems();
  const rowCount = Math.ceil(count / columns);
  const firstRow = shown[0]?.index ?? 0;
  const lastRow = shown.at(-1)?.index ?? 0;
  const part = useMemo(
    () => ({
      first: firstRow * columns,
      end: (lastRow + 1) * columns,
      padding: {
        paddingTop: firstRow * rowHeight,
        paddingBottom: Math.max(0, rowCount - 1 - lastRow) * rowHeight,
      },
    }),
    [firstRow, lastRow, columns, rowCount, rowHeight],
  );
  return { grid, ...useDeferredValue(part) };
}

function isSame(one: typeof FIRST_GUESS, other: typeof FIRST_GUESS): boolean {
  return one.columns === other.columns && one.rowHeight === other.rowHeight && one.top === other.top;
}
