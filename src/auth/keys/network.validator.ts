import { registerDecorator } from 'class-validator';
import { normalizedNetwork } from '../../infra/net/ip-allow-list.js';

/** Networks of one key. */
const MAX_NETWORKS = 50;

/** Accepts a list of IP addresses or networks in CIDR notation. The error names the first invalid one. */
export function IsNetworkList(): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'networks',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown) =>
          Array.isArray(value) && value.length <= MAX_NETWORKS && value.every((item) => isNetwork(item)),
        defaultMessage: (given) => {
          const name = given?.property ?? '';
          const value: unknown = given?.value;
          const wrong: unknown = Array.isArray(value) ? value.find((item) => !isNetwork(item)) : undefined;
          const which = typeof wrong === 'string' ? `; "${wrong.slice(0, 60)}" is neither` : '';
          return `${name} must be a list of at most ${MAX_NETWORKS} IP addresses or networks such as 192.0.2.0/24${which}`;
        },
      },
    });
  };
}

function isNetwork(item: unknown): boolean {
  return typeof item === 'string' && normalizedNetwork(item) !== undefined;
}
