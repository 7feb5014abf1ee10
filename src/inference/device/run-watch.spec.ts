import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunWatch } from './run-watch.js';

describe('RunWatch', () => {
  const onStuck = vi.fn<() => void>();
  let watch: RunWatch;

  beforeEach(() => {
    vi.useFakeTimers();
    watch = new RunWatch(1_000, onStuck);
  });
  afterEach(() => {
    watch.stop();
    vi.useRealTimers();
    onStuck.mockReset();
  });

  it('reports a run that takes longer than the limit, once', () => {
    watch.restart();
    vi.advanceTimersByTime(1_000);
    expect(onStuck).not.toHaveBeenCalled();
    vi.advanceTimersByTime(5_000);
    expect(onStuck).toHaveBeenCalledOnce();
  });

  it('counts each run from its beginning', () => {
    for (let run = 0; run < 5; run++) {
      watch.restart();
      vi.advanceTimersByTime(900);
    }
    expect(onStuck).not.toHaveBeenCalled();
  });

  it('reports nothing while no run is in progress', () => {
    watch.restart();
    watch.stop();
    vi.advanceTimersByTime(5_000);
    expect(onStuck).not.toHaveBeenCalled();
  });
});
