import { describe, expect, it } from 'vitest';
import type { ServingState } from '../../../roles/role-messages.js';
import { type Candidate, isSlowerDevice, takeoverObjection } from './takeover.js';

const version = (operation: string, number = 1, fingerprint = 'a') => ({
  operation,
  version: number,
  fingerprint,
});
const refusal = (operation: string, number: string) => ({
  operation,
  version: number,
  message: `${operation}/${number} is not served: memory is short.`,
});

describe('takeoverObjection', () => {
  const before: ServingState = { device: 'cuda', serves: [version('upscale'), version('denoise', 2)] };
  const objection = (candidate: Partial<Candidate>): string | null =>
    takeoverObjection(before, {
      serves: before.serves,
      refusals: [],
      damaged: [],
      leftOut: [],
      promised: [],
      ...candidate,
    });

  it('is null for another version, or for one more operation', () => {
    expect(objection({ serves: [version('upscale', 2), version('denoise', 2)] })).toBeNull();
    expect(objection({ serves: [...before.serves, version('sharpen')] })).toBeNull();
  });

  it('is null if a version was refused but something else is new', () => {
    const serves = [version('upscale', 2), version('denoise', 2)];
    expect(objection({ serves, refusals: [refusal('denoise', '3')] })).toBeNull();
  });

  it('is null if it loads a version for accepted jobs that the previous worker lacks', () => {
    const refusals = [refusal('denoise', '3')];
    expect(objection({ refusals, owes: ['upscale/0'] })).toBeNull();
    const owing = { ...before, owes: ['upscale/0'] };
    const candidate = { serves: before.serves, refusals, damaged: [], leftOut: [], promised: [] };
    for (const owes of [[], ['upscale/0']])
      expect(takeoverObjection(owing, { ...candidate, owes })).toMatch(/^it would serve nothing else/);
  });

  it('is null for an operation that an operator removed, unless it must be served', () => {
    expect(objection({ serves: [version('upscale')] })).toBeNull();
    expect(objection({ serves: [version('denoise', 2)] })).toMatch(/^upscale would be lost/);
  });

  it('is null for a shadow that is gone, and for a new one', () => {
    const shadow = { ...version('upscale', 3), isShadow: true as const };
    const refusals = [refusal('denoise', '3')];
    const withShadow: ServingState = { ...before, serves: [...before.serves, shadow] };
    const candidate = { serves: before.serves, refusals, damaged: [], leftOut: [], promised: [] };
    expect(takeoverObjection(withShadow, candidate)).toBeNull();
    expect(objection({ serves: withShadow.serves, refusals })).toBeNull();
  });

  it('objects if an operation was refused here', () => {
    const refusals = [refusal('denoise', '3'), refusal('denoise', '2')];
    expect(objection({ serves: [version('upscale')], refusals })).toBe(
      'denoise would be lost. denoise/3 is not served: memory is short. denoise/2 is not served: memory is short.',
    );
  });

  it('objects to an earlier version if the running one was refused here', () => {
    const serves = [version('upscale'), version('denoise', 1)];
    expect(objection({ serves, refusals: [refusal('denoise', '2')] })).toMatch(/^denoise would be lost/);
  });

  it('is null for an earlier version if the files of the running one are damaged', () => {
    const damaged = [refusal('denoise', '2')];
    const serves = [version('upscale'), version('denoise', 1)];
    expect(objection({ serves, refusals: damaged, damaged })).toBeNull();
  });

  it('objects if the files of the running version are damaged and no other version runs here', () => {
    const damaged = [refusal('denoise', '2')];
    const refusals = [...damaged, refusal('denoise', '1')];
    expect(objection({ serves: [version('upscale')], refusals, damaged })).toMatch(/^denoise would be lost/);
  });

  it('objects if nothing would change because the new version was refused', () => {
    expect(objection({ refusals: [refusal('denoise', '3')] })).toMatch(
      /^it would serve nothing else\. denoise\/3/,
    );
    const changed = [version('upscale', 1, 'b'), version('denoise', 2)];
    expect(objection({ serves: changed, refusals: [refusal('denoise', '3')] })).toBeNull();
  });

  it('objects if a version that was promised to waiting jobs does not fit beside the others', () => {
    const serves = [version('upscale'), version('denoise', 3)];
    const leftOut = [{ manifest: { operation: 'denoise' }, version: 1 }] as unknown as Candidate['leftOut'];
    const promised = [{ operation: 'denoise', version: 1 }];
    expect(objection({ serves, leftOut })).toBeNull();
    expect(objection({ serves, leftOut, promised })).toMatch(/^jobs assigned to denoise\/1 wait/);
  });
});

describe('isSlowerDevice', () => {
  it.each([
    ['cpu', 'cuda', true],
    ['webgpu', 'cuda:0', true],
    ['cuda:0,cpu', 'cuda:0,cuda:1', true],
    ['cuda:1', 'cuda:0', false],
    ['cuda', 'cpu', false],
    ['cpu', 'cpu', false],
  ])('%s than %s: %s', (device, than, isSlower) => {
    expect(isSlowerDevice(device, than)).toBe(isSlower);
  });
});
