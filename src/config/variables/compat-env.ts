import type { Descriptor } from './descriptor.js';

/** Services whose APIs are offered in addition to the service's own API. */
export const COMPATIBILITIES = ['removebg', 'rembg'] as const;
export type Compatibility = (typeof COMPATIBILITIES)[number];

const FORMAT = '`removebg`, `rembg`, both separated by a comma, or `off`';

const compat: Descriptor<readonly Compatibility[]> = {
  name: 'COMPAT',
  text: "APIs of other services that their clients can use here, with this service's keys and quotas: `POST /v1.0/removebg` and `/api/remove`. See docs/compatibility.md.",
  defaultText: '`removebg,rembg`',
  format: FORMAT,
  read: (raw) => {
    if (raw === undefined || raw.trim() === '') return COMPATIBILITIES;
    if (raw.trim() === 'off') return [];
    const given = raw.split(',').map((part) => part.trim());
    const wrong = given.find((part) => !COMPATIBILITIES.some((known) => known === part));
    if (wrong !== undefined)
      throw new Error(`must be ${FORMAT.replaceAll('`', '')}; "${wrong}" is not one of them`);
    return COMPATIBILITIES.filter((known) => given.includes(known));
  },
};

export const COMPAT_DESCRIPTORS = { compat } as const satisfies Record<string, Descriptor<unknown>>;
