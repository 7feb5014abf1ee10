import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Batcher } from './batcher.js';
import type { DeviceItem, DeviceOutcome } from './device/device-port.js';
import { StageError } from './stage-error.js';
import { uint8Tensor } from './tensor.js';

const slow = { id: 'slow', maxBatch: 3, maxDelayMs: 50 };
const other = { id: 'other', maxBatch: 3, maxDelayMs: 50 };

const item = (value: number, channels = 3): DeviceItem => ({
  tensors: { image: uint8Tensor([1, 1, 1, channels], new Uint8Array(channels).fill(value)) },
  analysis: null,
});

/** A device controlled by the test: it records batches and finishes each on request. */
class ManualDevice {
  readonly batches: string[] = [];
  private readonly ends: (() => void)[] = [];

  readonly run = (stageId: string, items: readonly DeviceItem[]): Promise<readonly DeviceOutcome[]> => {
    this.batches.push(`${stageId}:${items.map(({ tensors }) => tensors['image']!.data[0]).join('')}`);
    return new Promise((resolve) => {
      this.ends.push(() => resolve(items.map(({ tensors }) => ({ ok: true, tensors }))));
    });
  };

  /** Finishes the oldest batch and lets the batcher react. */
  async end(): Promise<void> {
    this.ends.shift()!();
    await vi.advanceTimersByTimeAsync(0);
  }
}

describe('Batcher', () => {
  let device: ManualDevice;
  let batcher: Batcher;

  beforeEach(() => {
    vi.useFakeTimers();
    device = new ManualDevice();
    batcher = new Batcher(device.run);
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('starts at once on an idle device, and collects up to the cap behind a busy one', async () => {
    for (const value of [1, 2, 3, 4, 5]) void batcher.submit(slow, item(value));
    expect(device.batches).toEqual(['slow:1', 'slow:234']);
    await device.end();
    await device.end();
    expect(device.batches).toEqual(['slow:1', 'slow:234', 'slow:5']);
  });

  it('sends a partial batch to a busy device after the delay, not before', async () => {
    void batcher.submit(slow, item(1));
    void batcher.submit(slow, item(2));
    await vi.advanceTimersByTimeAsync(49);
    expect(device.batches).toEqual(['slow:1']);
    await vi.advanceTimersByTimeAsync(1);
    expect(device.batches).toEqual(['slow:1', 'slow:2']);
  });

  it('reports when a batch goes to the device and when it returns or is lost', async () => {
    const events: string[] = [];
    let lose: ((error: Error) => void) | undefined;
    const run = (id: string, items: readonly DeviceItem[]) =>
      id === 'slow' ? device.run(id, items) : new Promise<never>((_, reject) => (lose = reject));
    const onSent = () => {
      events.push('sent');
      return () => events.push('returned');
    };
    const observed = new Batcher(run, { observer: { onWait: () => undefined, onSent } });
    void observed.submit(slow, item(1));
    expect(events).toEqual(['sent']);
    await device.end();
    expect(events).toEqual(['sent', 'returned']);
    const lost = observed.submit(other, item(2));
    lose!(new Error('gone'));
    await expect(lost).rejects.toThrow('gone');
    expect(events).toEqual(['sent', 'returned', 'sent', 'returned']);
  });

  it('never has more than two batches in flight', async () => {
    for (let value = 0; value < 9; value++) void batcher.submit(slow, item(value));
    await vi.advanceTimersByTimeAsync(1000);
    expect(device.batches).toHaveLength(2);
  });

  it('gives each stream of a device one running batch, and one that waits behind it', async () => {
    let streams = 1;
    const parallel = new Batcher(device.run, { streams: () => streams });
    expect(parallel.itemsAtOnce(slow)).toBe(9);
    void parallel.submit(slow, item(1));
    void parallel.submit(slow, item(2));
    expect(device.batches).toEqual(['slow:1']);
    streams = 2;
    expect(parallel.itemsAtOnce(slow)).toBe(15);
    for (let value = 3; value < 10; value++) void parallel.submit(slow, item(value));
    await vi.advanceTimersByTimeAsync(1000);
    expect(device.batches).toEqual(['slow:1', 'slow:23', 'slow:456', 'slow:789']);
    void parallel.submit(slow, item(0));
    await vi.advanceTimersByTimeAsync(1000);
    expect(device.batches).toHaveLength(4);
  });

  it('takes the oldest item first when stages compete, and never mixes stages or channel counts', async () => {
    void batcher.submit(slow, item(1));
    void batcher.submit(other, item(2));
    void batcher.submit(slow, item(3));
    void batcher.submit(slow, item(4, 4));
    void batcher.submit(other, item(5));
    await device.end();
    await device.end();
    await device.end();
    await device.end();
    expect(device.batches).toEqual(['slow:1', 'other:25', 'slow:3', 'slow:4']);
  });

  it('runs the item that is due first, regardless of arrival order', async () => {
    const [large, small] = [batcher.begin(slow, 9, 'a'), batcher.begin(slow, 2, 'b')];
    void batcher.submit(slow, item(1), { reservation: large });
    void batcher.submit(other, item(2));
    await vi.advanceTimersByTimeAsync(100);
    // The first run shows how long an item takes.
    await device.end();
    await vi.advanceTimersByTimeAsync(50);
    for (const value of [3, 4]) void batcher.submit(slow, item(value), { reservation: large });
    for (const value of [5, 6]) void batcher.submit(slow, item(value), { reservation: small });
    void batcher.submit(other, item(7));
    expect(device.batches).toEqual(['slow:1', 'other:2', 'slow:534']);
    await device.end();
    await vi.advanceTimersByTimeAsync(50);
    await device.end();
    expect(device.batches.slice(3)).toEqual(['other:7', 'slow:6']);
  });

  it('does not charge an owner for a job that has ended', async () => {
    void batcher.submit(slow, item(1));
    await vi.advanceTimersByTimeAsync(100);
    await device.end();
    batcher.end(batcher.begin(slow, 1000, 'a'));
    const [next, others] = [batcher.begin(slow, 1, 'a'), batcher.begin(slow, 2, 'b')];
    void batcher.submit(slow, item(2), { reservation: others });
    void batcher.submit(slow, item(3), { reservation: others });
    void batcher.submit(slow, item(4), { reservation: next });
    await vi.advanceTimersByTimeAsync(50);
    expect(device.batches).toEqual(['slow:1', 'slow:2', 'slow:43']);
  });

  it('respects an upper bound on the batches of all stages', async () => {
    const single = new Batcher(device.run, { largestBatch: 1 });
    expect(single.batchSize(slow)).toBe(1);
    expect(batcher.batchSize(slow)).toBe(3);
    for (const value of [1, 2, 3]) void single.submit(slow, item(value));
    await device.end();
    expect(device.batches).toEqual(['slow:1', 'slow:2', 'slow:3']);
  });

  it('resolves each item with its own outputs', async () => {
    const answers = Promise.all([1, 2, 3].map((value) => batcher.submit(slow, item(value))));
    await vi.advanceTimersByTimeAsync(50);
    await device.end();
    await device.end();
    expect((await answers).map((tensors) => tensors['image']!.data[0])).toEqual([1, 2, 3]);
  });

  it('removes the waiting items of an aborted job, and keeps the others', async () => {
    const abort = new AbortController();
    void batcher.submit(slow, item(1));
    const withdrawn = batcher.submit(slow, item(2), { signal: abort.signal });
    void batcher.submit(slow, item(3));
    abort.abort(new Error('canceled by test'));
    batcher.withdraw(abort.signal);
    await expect(withdrawn).rejects.toThrow('canceled by test');
    await expect(batcher.submit(slow, item(4), { signal: abort.signal })).rejects.toThrow('canceled by test');
    await device.end();
    expect(device.batches).toEqual(['slow:1', 'slow:3']);
  });

  it('names the stage when an item fails', async () => {
    const failing = new Batcher(async () => [{ ok: false, message: 'no memory' }]);
    const error: unknown = await failing.submit(slow, item(1)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StageError);
    expect(error).toMatchObject({
      stageId: 'slow',
      code: 'processing_failed',
      message: 'The stage slow failed: no memory',
    });
  });

  it('says of an item that its device had too little memory', async () => {
    const full = new Batcher(async () => [{ ok: false, message: 'std::bad_alloc', isOutOfMemory: true }]);
    await expect(full.submit(slow, item(1))).rejects.toMatchObject({ isOutOfMemory: true });
    const failing = new Batcher(async () => [{ ok: false, message: 'invalid dimensions' }]);
    await expect(failing.submit(slow, item(1))).rejects.toMatchObject({ isOutOfMemory: false });
  });

  it('rejects every item when the device is gone', async () => {
    const dead = new Batcher(() => Promise.reject(new Error('gone')));
    const ends = await Promise.allSettled([1, 2, 3].map((value) => dead.submit(slow, item(value))));
    expect(ends.map((end) => end.status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('rejects waiting and new items once it is closed', async () => {
    void batcher.submit(slow, item(1));
    const waiting = batcher.submit(slow, item(2));
    batcher.close(new Error('closed'));
    await expect(waiting).rejects.toThrow('closed');
    await expect(batcher.submit(slow, item(3))).rejects.toThrow('closed');
    await device.end();
    expect(device.batches).toEqual(['slow:1']);
  });
});
