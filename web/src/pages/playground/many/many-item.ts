import { newIdempotencyKey } from '../../../lib/idempotency-key.js';

/** A photo of a batch that is being prepared. */
export interface ManyItem {
  readonly id: number;
  readonly file: File;
  /** The idempotency key of its upload, for every attempt. */
  readonly key: string;
  readonly state: 'waiting' | 'uploading' | 'stored' | 'failed';
  readonly sourceUrl: string | null;
  /** The reason of the failure. */
  readonly reason: string | null;
}

export function itemsOf(files: readonly File[]): readonly ManyItem[] {
  return files.map((file, id) => ({
    id,
    file,
    key: newIdempotencyKey(),
    state: 'waiting',
    sourceUrl: null,
    reason: null,
  }));
}

export interface ManyCounts {
  readonly stored: number;
  readonly failed: number;
  readonly totalBytes: number;
  readonly storedBytes: number;
}

export function countsOf(items: readonly ManyItem[]): ManyCounts {
  const bytes = (some: readonly ManyItem[]) => some.reduce((sum, { file }) => sum + file.size, 0);
  const stored = items.filter(({ state }) => state === 'stored');
  const failed = items.filter(({ state }) => state === 'failed');
  return {
    stored: stored.length,
    failed: failed.length,
    totalBytes: bytes(items),
    storedBytes: bytes(stored),
  };
}
