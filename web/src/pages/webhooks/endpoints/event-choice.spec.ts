import { describe, expect, it } from 'vitest';
import { eventLabels, originals } from './event-choice.js';

const TYPES = [
  { type: 'enhancement.completed', aliasOf: null },
  { type: 'job.completed', aliasOf: 'enhancement.completed' },
  { type: 'image.uploaded', aliasOf: null },
] as const;

describe('originals', () => {
  it('leaves aliases out', () => {
    expect(originals(TYPES)).toEqual(['enhancement.completed', 'image.uploaded']);
  });
});

describe('eventLabels', () => {
  it.each([
    [['*'], ['All events and aliases']],
    [['image.uploaded', 'enhancement.completed'], ['All events']],
    [['image.uploaded'], ['image.uploaded']],
    [
      ['image.uploaded', 'job.completed'],
      ['image.uploaded', 'job.completed'],
    ],
  ])('of %j are %j', (events, labels) => {
    expect(eventLabels(events, TYPES)).toEqual(labels);
  });

  it('are the types while the catalog is unknown', () => {
    expect(eventLabels(['image.uploaded'], [])).toEqual(['image.uploaded']);
  });
});
