import { describe, expect, it } from 'vitest';
import {
  find,
  hasHelm,
  MINIMAL,
  NEEDS_HELM,
  render,
  type Values,
} from '../../support/kubernetes/helm-chart.js';

interface Volume {
  readonly name: string;
  readonly emptyDir?: { readonly sizeLimit: string };
  readonly persistentVolumeClaim?: { readonly claimName: string };
  readonly ephemeral?: {
    readonly volumeClaimTemplate: {
      readonly spec: {
        readonly storageClassName: string;
        readonly resources: { readonly requests: { readonly storage: string } };
      };
    };
  };
}

/** The fields of a Deployment that the tests read. */
interface Spec {
  readonly template: {
    readonly spec: {
      readonly volumes: readonly Volume[];
      readonly containers: readonly [
        {
          readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
          readonly env: readonly { readonly name: string; readonly value?: string }[];
        },
      ];
    };
  };
}

const WITH_STORE = { ...MINIMAL, objectStore: { url: 's3://images' } };

const podOf = (role: string, values: Values): Spec['template']['spec'] =>
  find(render<Spec>(values), 'Deployment', `ies-image-enhancement-${role}`).spec.template.spec;

const volumeOf = (role: string, name: string, values: Values): Volume | undefined =>
  podOf(role, values).volumes.find((volume) => volume.name === name);

const scratchDirOf = (role: string, values: Values): string | undefined =>
  podOf(role, values).containers[0].env.find(({ name }) => name === 'SCRATCH_DIR')?.value;

describe.skipIf(!hasHelm)(`the volumes of the Helm chart ${NEEDS_HELM}`, () => {
  it('have a size for /data that each role can change, for copies of models', () => {
    const values = {
      ...WITH_STORE,
      api: { dataSize: '4Gi' },
      dispatcher: { dataSize: '5Gi' },
      workerDefaults: { dataSize: '6Gi' },
      workers: { cpu: {}, gpu: { dataSize: '7Gi' } },
    };
    const sizes = ['api', 'dispatcher', 'worker-cpu', 'worker-gpu'].map(
      (role) => volumeOf(role, 'data', values)?.emptyDir?.sizeLimit,
    );
    expect(sizes).toEqual(['4Gi', '5Gi', '6Gi', '7Gi']);
  });

  it('keep uploads in progress out of /data', () => {
    expect(scratchDirOf('api', WITH_STORE)).toBe('/scratch');
    expect(podOf('api', WITH_STORE).containers[0].volumeMounts).toContainEqual({
      name: 'scratch',
      mountPath: '/scratch',
    });
    expect(volumeOf('api', 'scratch', WITH_STORE)?.emptyDir).toEqual({ sizeLimit: '10Gi' });
  });

  it('can give an api or a worker a scratch disk of a storage class', () => {
    const own = { scratchSize: '20Gi', scratchStorageClass: 'fast' };
    const values = { ...WITH_STORE, api: own, workerDefaults: own };
    for (const role of ['api', 'worker-cpu'])
      expect(volumeOf(role, 'scratch', values)?.ephemeral?.volumeClaimTemplate.spec).toMatchObject({
        storageClassName: 'fast',
        resources: { requests: { storage: '20Gi' } },
      });
  });

  it('are one claim without an object store, where the api spools nothing', () => {
    for (const role of ['api', 'dispatcher', 'worker-cpu'])
      expect(volumeOf(role, 'data', MINIMAL)?.persistentVolumeClaim).toEqual({ claimName: 'images' });
    expect(volumeOf('api', 'scratch', MINIMAL)).toBeUndefined();
    expect(scratchDirOf('api', MINIMAL)).toBeUndefined();
  });
});
