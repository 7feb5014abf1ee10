import { describe, expect, it } from 'vitest';
import {
  helm,
  hasHelm,
  MINIMAL,
  NEEDS_HELM,
  README_EXAMPLE,
  render,
  type Values,
} from '../../support/kubernetes/helm-chart.js';

/** The fields of a ScaledObject that the tests read. */
interface Spec {
  readonly triggers: readonly {
    readonly metadata: { readonly query: string; readonly activationThreshold: string };
  }[];
}

const PREFIX = 'ies-image-enhancement-worker-';
const TO_ZERO = { autoscaling: { enabled: true } };
const GPU = { ...TO_ZERO, image: 'worker-cuda', acceleratorResource: 'nvidia.com/gpu' };

/** The groups that queued test jobs start. */
function startedBy(values: Values): string[] {
  return render<Spec>(values)
    .filter(({ kind }) => kind === 'ScaledObject')
    .filter(({ spec }) =>
      spec.triggers.some(
        ({ metadata }) =>
          metadata.query === 'max(ies_queue_test_jobs{namespace="images"})' &&
          metadata.activationThreshold === '0',
      ),
    )
    .map(({ metadata }) => metadata.name.replace(PREFIX, ''));
}

describe.skipIf(!hasHelm)(`the worker that the Helm chart starts for test jobs ${NEEDS_HELM}`, () => {
  it.each([
    ['the first group by name', { workers: { cpu: null, b: GPU, a: GPU } }, ['a']],
    ['a group without an accelerator', { workers: { cpu: TO_ZERO, a: GPU } }, ['cpu']],
    ['the chosen group', { workers: { cpu: TO_ZERO, a: GPU }, testJobsGroup: 'a' }, ['a']],
    ['none: another group always has a worker', { workers: { cpu: {}, a: GPU } }, []],
    [
      'none: a group keeps a worker',
      { workers: { cpu: { autoscaling: { enabled: true, minReplicas: 1 } }, a: GPU } },
      [],
    ],
    ['that of the only group with any', { workers: { cpu: { replicas: 0 }, a: GPU } }, ['a']],
  ])('is %s', (_, values, groups) => {
    expect(startedBy({ ...MINIMAL, monitoring: { enabled: true }, ...values })).toEqual(groups);
  });

  it('is none in the example of the README', () => {
    expect(startedBy(README_EXAMPLE)).toEqual([]);
  });

  it('refuses a group that does not scale', () => {
    const { status, stderr } = helm('template', { ...MINIMAL, testJobsGroup: 'cpu' });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('testJobsGroup must be a worker group with autoscaling.enabled'),
    });
  });
});
