import { describe, expect, it } from 'vitest';
import {
  find,
  hasHelm,
  helm,
  MINIMAL,
  NEEDS_HELM,
  render,
  type Values,
} from '../../support/kubernetes/helm-chart.js';

/** The fields of a ScaledObject or PodMonitor that the tests read. */
interface Spec {
  readonly triggers: readonly {
    readonly metadata: {
      readonly query: string;
      readonly threshold: string;
      readonly activationThreshold: string;
    };
  }[];
  readonly podMetricsEndpoints: readonly { readonly relabelings: readonly unknown[] }[];
}

interface Deployment {
  readonly template: {
    readonly spec: { readonly containers: readonly [{ readonly env: readonly unknown[] }] };
  };
}

const SCALED: Values = {
  ...MINIMAL,
  monitoring: { enabled: true },
  workers: { cpu: {}, gpu: { autoscaling: { enabled: true } } },
};

describe.skipIf(!hasHelm)(`the scaling of workers in the Helm chart ${NEEDS_HELM}`, () => {
  it('keeps as many pods of a group as run jobs', () => {
    const manifests = render<Spec>(SCALED);
    const { triggers } = find(manifests, 'ScaledObject', 'ies-image-enhancement-worker-gpu').spec;
    expect(triggers.map(({ metadata }) => metadata)).toContainEqual(
      expect.objectContaining({
        query: 'count(sum by (pod) (ies_jobs_running{namespace="images",worker_group="gpu"}) > 0)',
        threshold: '1',
        activationThreshold: '0',
      }),
    );
    const [endpoint] = find(manifests, 'PodMonitor', 'ies-image-enhancement-worker').spec.podMetricsEndpoints;
    expect(endpoint!.relabelings).toContainEqual({
      targetLabel: 'worker_group',
      sourceLabels: ['__meta_kubernetes_pod_label_image_enhancement_worker_group'],
    });
  });

  it('is refused without metrics, because no pod would ever start', () => {
    const { status, stderr } = helm('template', { ...SCALED, monitoring: { enabled: false } });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining(
        'monitoring.enabled is required when workers.gpu.autoscaling.enabled is true',
      ),
    });
  });

  it('works without the Prometheus operator', () => {
    const manifests = render<Spec & Deployment>({
      ...SCALED,
      monitoring: { enabled: true, monitors: false },
    });
    const kinds = manifests.map(({ kind }) => kind);
    expect(kinds).toContain('ScaledObject');
    expect(kinds.filter((kind) => kind.endsWith('Monitor'))).toEqual([]);
    const api = find(manifests, 'Deployment', 'ies-image-enhancement-api').spec.template.spec;
    expect(api.containers[0].env).toContainEqual(expect.objectContaining({ name: 'METRICS_TOKEN' }));
  });
});
