import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { listenToGaps, listenToJobs, tellOwnChange } from './jobs-stream.js';

/** A stream like that of the service, which sends an event when it opens. */
class Stream extends EventTarget {
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static readonly all: Stream[] = [];
  static isRefused = false;
  readyState = 0;

  constructor() {
    super();
    Stream.all.push(this);
    queueMicrotask(() => {
      this.readyState = Stream.isRefused ? Stream.CLOSED : 1;
      if (!Stream.isRefused) this.dispatchEvent(new Event('open'));
      this.dispatchEvent(new Event(Stream.isRefused ? 'error' : 'jobs'));
    });
  }

  close(): void {
    this.readyState = Stream.CLOSED;
  }
}

class Page extends EventTarget {
  hidden = false;

  show(isShown: boolean): void {
    this.hidden = !isShown;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

describe('listenToJobs', () => {
  const heard = vi.fn<() => void>();
  let page: Page;
  let stream: {
    readonly listenToGaps: typeof listenToGaps;
    readonly listenToJobs: typeof listenToJobs;
    readonly tellOwnChange: typeof tellOwnChange;
  };
  let leave: () => void;
  const opened = () => Stream.all.filter(({ readyState }) => readyState !== Stream.CLOSED).length;
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  beforeEach(async () => {
    // The first stream of a page is special, and each test stands for a page.
    vi.resetModules();
    stream = await import('./jobs-stream.js');
    vi.useFakeTimers();
    page = new Page();
    vi.stubGlobal('document', page);
    vi.stubGlobal('EventSource', Stream);
    Stream.all.length = 0;
    Stream.isRefused = false;
    heard.mockReset();
  });
  afterEach(() => {
    leave();
    expect(opened()).toBe(0);
    expect(getEventListeners(page, 'visibilitychange')).toEqual([]);
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('holds one connection for all listeners, until the last one leaves', async () => {
    leave = stream.listenToJobs(heard);
    const second = stream.listenToJobs(() => undefined);
    await pass(0);
    expect(opened()).toBe(1);
    second();
    expect(opened()).toBe(1);
    await pass(1_000);
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it('reports changes at once, but catches up only when the page has been rendered', async () => {
    const gap = vi.fn<() => void>();
    const end = stream.listenToGaps(gap);
    leave = stream.listenToJobs(heard);
    await pass(500);
    expect([gap.mock.calls.length, heard.mock.calls.length]).toEqual([0, 0]);
    Stream.all[0]?.dispatchEvent(new Event('jobs'));
    expect([gap.mock.calls.length, heard.mock.calls.length]).toEqual([0, 1]);
    await pass(500);
    expect([gap.mock.calls.length, heard.mock.calls.length]).toEqual([1, 2]);
    end();
  });

  it('reports changes of the page itself where the stream does not', async () => {
    Stream.isRefused = true;
    leave = stream.listenToJobs(heard);
    await pass(0);
    heard.mockReset();
    stream.tellOwnChange();
    expect(heard).toHaveBeenCalledTimes(1);
    Stream.isRefused = false;
    await pass(60_000);
    expect(opened()).toBe(1);
    heard.mockReset();
    stream.tellOwnChange();
    expect(heard).not.toHaveBeenCalled();
  });

  it('holds no connection while the page is hidden, and catches up once when it is shown again', async () => {
    leave = stream.listenToJobs(heard);
    await pass(1_000);
    page.show(false);
    expect(opened()).toBe(0);
    await pass(600_000);
    expect(heard).toHaveBeenCalledTimes(1);
    page.show(true);
    await pass(5_000);
    expect(opened()).toBe(1);
    expect(heard).toHaveBeenCalledTimes(2);
  });

  it('opens no connection for a page that is hidden or shown only briefly', async () => {
    page.hidden = true;
    leave = stream.listenToJobs(heard);
    page.show(true);
    await pass(100);
    page.show(false);
    await pass(60_000);
    expect(Stream.all).toHaveLength(0);
    page.show(true);
    await pass(5_000);
    await pass(1_000);
    expect(opened()).toBe(1);
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it('polls where the service has no room, and asks again while the page is visible', async () => {
    Stream.isRefused = true;
    leave = stream.listenToJobs(heard);
    await pass(0);
    expect(heard).toHaveBeenCalledTimes(1);
    await pass(30_000);
    expect(heard).toHaveBeenCalledTimes(2);
    page.show(false);
    await pass(120_000);
    expect(heard).toHaveBeenCalledTimes(2);
    Stream.isRefused = false;
    page.show(true);
    await pass(120_000);
    expect(opened()).toBe(1);
    expect(heard).toHaveBeenCalledTimes(3);
  });

  it('reports the time before the stream opens as a gap, whenever it opens', async () => {
    const gap = vi.fn<() => void>();
    const end = stream.listenToGaps(gap);
    leave = stream.listenToJobs(heard);
    await pass(1_000);
    expect(gap).toHaveBeenCalledTimes(1);
    page.show(false);
    page.show(true);
    await pass(5_000);
    expect(gap).toHaveBeenCalledTimes(2);
    end();
  });
});
