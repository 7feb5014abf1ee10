import { type Descriptor, keys } from './descriptor.js';

/** The keys of the installation. docs/secrets.md says how to replace them. */
export const SECRET_DESCRIPTORS = {
  signingKeys: keys('URL_SIGNING_KEY', {
    text: 'Keys that sign file addresses, newest first, separated by commas. The first one signs; all of them are accepted. Set the same list on every host of a fleet. See docs/secrets.md.',
  }),
  sealingKeys: keys('SEALING_KEY', {
    text: 'Keys that encrypt the secrets in the database, newest first, separated by commas. The first one encrypts; all of them decrypt. Set the same list on every host of a fleet, and keep a copy: without the key, the secrets cannot be read. See docs/secrets.md.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;
