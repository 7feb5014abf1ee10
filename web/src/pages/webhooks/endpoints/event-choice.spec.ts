import { describe, expect, it } from 'vitest';
import {
  ANY_EVENT_TYPES,
  isServiceEvent,
  originalOf,
} from '../../../../../src/webhooks/events/event-types.js';
import { eventLabels, eventsToSend, originals } from './event-choice.js';

const TYPES = [
  { type: 'enhancement.completed', aliasOf: null },
  { type: 'job.completed', aliasOf: 'enhancement.completed' },
  { type: 'image.uploaded', aliasOf: null },
] as const;

describe('originals', () => {
  it('leaves aliases out', () => {
    expect(originals(TYPES)).toEqual(['enhancement.completed', 'image.uploaded']);
  });

  it("leaves out operators' types, which an endpoint gets only if it names them", () => {
    const all = ANY_EVENT_TYPES.map((type) => ({ type, aliasOf: originalOf(type) }));
    const own = all.filter(({ type, aliasOf }) => aliasOf === null && !isServiceEvent(type));
    expect(own.length).toBeLessThan(all.length);
    expect(originals(all)).toEqual(own.map(({ type }) => type));
  });
});

describe('eventsToSend', () => {
  const choice = { before: null, isEvery: false, selected: [], types: TYPES } as const;

  it('are all types, or the selected ones, of a new endpoint', () => {
    expect(eventsToSend({ ...choice, isEvery: true })).toEqual(originals(TYPES));
    expect(eventsToSend({ ...choice, selected: ['image.uploaded'] })).toEqual(['image.uploaded']);
    expect(eventsToSend(choice)).toEqual([]);
  });

  it('are left out if an edit does not change them, even if they can no longer be chosen', () => {
    expect(eventsToSend({ ...choice, before: ['*'], isEvery: true })).toBeUndefined();
    const before: ['usage.recorded', 'image.uploaded'] = ['usage.recorded', 'image.uploaded'];
    expect(eventsToSend({ ...choice, before, selected: before.toReversed() })).toBeUndefined();
  });

  it('are those of the catalog if an edit changes them', () => {
    const selected = ['usage.recorded', 'image.uploaded'];
    expect(eventsToSend({ ...choice, before: ['usage.recorded'], selected })).toEqual(['image.uploaded']);
    expect(eventsToSend({ ...choice, before: ['*'] })).toEqual([]);
    expect(eventsToSend({ ...choice, before: ['ping'], isEvery: true })).toEqual(originals(TYPES));
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
