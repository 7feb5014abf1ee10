import { describe, expect, it } from 'vitest';
import { find, hasHelm, MINIMAL, NEEDS_HELM, render } from '../../support/kubernetes/helm-chart.js';

interface Peer {
  readonly ipBlock: { readonly cidr: string; readonly except?: readonly string[] };
}

/** The fields of a NetworkPolicy that the tests read. */
interface Spec {
  readonly egress: readonly { readonly to?: readonly Peer[]; readonly ports?: readonly object[] }[];
}

const LINK_LOCAL = '169.254.0.0/16';
/** The metadata services of AWS and Google Cloud over IPv6. */
const METADATA_6 = ['fd00:ec2::/32', 'fd20:ce::/32'];
const POD_IDENTITY = ['169.254.170.23/32', 'fd00:ec2::23/128'];
const DNS = {
  ports: [
    { port: 53, protocol: 'UDP' },
    { port: 53, protocol: 'TCP' },
  ],
};

const egressOf = (role: string, networkPolicy: object = {}): Spec['egress'] =>
  find(render<Spec>({ ...MINIMAL, networkPolicy }), 'NetworkPolicy', `ies-image-enhancement-${role}`).spec
    .egress;

describe.skipIf(!hasHelm)(`the network policies of the Helm chart ${NEEDS_HELM}`, () => {
  it.each(['worker', 'migrate'])('let %s reach everything: it opens no address of a customer', (role) => {
    expect(egressOf(role)).toEqual([{}]);
  });

  it.each(['api', 'dispatcher'])('let %s reach metadata services only for DNS and identity', (role) => {
    expect(egressOf(role)).toEqual([
      {
        to: [
          { ipBlock: { cidr: '0.0.0.0/0', except: [LINK_LOCAL] } },
          { ipBlock: { cidr: '::/0', except: METADATA_6 } },
          ...POD_IDENTITY.map((cidr) => ({ ipBlock: { cidr } })),
        ],
      },
      DNS,
    ]);
  });

  it('take blocked networks of both families', () => {
    const blockedNetworks = ['10.0.0.0/8', 'fd00:ec2::254/128'];
    expect(egressOf('api', { blockedNetworks, identityNetworks: [] })).toEqual([
      {
        to: [
          { ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] } },
          { ipBlock: { cidr: '::/0', except: ['fd00:ec2::254/128'] } },
        ],
      },
      DNS,
    ]);
  });
});
