import { describe, expect, it } from 'vitest';
import { hasHelm, NEEDS_HELM, README_EXAMPLE, render } from '../../support/kubernetes/helm-chart.js';

interface Budget {
  readonly maxUnavailable: number;
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
}

describe.skipIf(!hasHelm)(`the disruption budgets of the Helm chart ${NEEDS_HELM}`, () => {
  it('count the pods of each worker group on their own', () => {
    const budgets = render<Budget>(README_EXAMPLE).filter(({ kind }) => kind === 'PodDisruptionBudget');
    const counted = budgets.map(({ spec: { maxUnavailable, selector } }) => [
      selector.matchLabels['app.kubernetes.io/component'],
      selector.matchLabels['image-enhancement/worker-group'],
      maxUnavailable,
    ]);
    expect(counted).toEqual([
      ['api', undefined, 1],
      ['dispatcher', undefined, 1],
      ['worker', 'cpu', 1],
      ['worker', 'gpu', 1],
      ['worker', 'slice', 1],
    ]);
    expect(new Set(budgets.map(({ metadata }) => metadata.name)).size).toBe(budgets.length);
  });
});
