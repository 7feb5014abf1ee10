import { describe, expect, it } from 'vitest';
import { batchBadge, batchTitle, countsText } from './batch-text.js';

const counts = { total: 1_200, queued: 2, processing: 1, completed: 1_196, failed: 1, canceled: 0 };

describe('a batch in words', () => {
  it('has the name of its folder, or the number of its photos', () => {
    expect(batchTitle({ metadata: { folder: 'Summer' }, counts })).toBe('Summer');
    expect(batchTitle({ metadata: {}, counts })).toBe('1,200 photos');
    expect(batchTitle({ metadata: {}, counts: { ...counts, total: 1 } })).toBe('1 photo');
  });

  it('counts its photos by state, without zeros', () => {
    expect(countsText(counts)).toBe('1,196 completed, 1 failed, 3 to go');
  });

  it('reports that some or all of its photos failed', () => {
    expect(batchBadge({ status: 'processing', counts }).label).toBe('Processing');
    expect(batchBadge({ status: 'completed', counts })).toEqual({ tone: 'bad', label: '1 failed' });
    expect(batchBadge({ status: 'completed', counts: { ...counts, completed: 0 } }).label).toBe('Failed');
    expect(batchBadge({ status: 'completed', counts: { ...counts, failed: 0 } }).label).toBe('Completed');
  });
});
