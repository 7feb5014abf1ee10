import { type Descriptor, keys } from './descriptor.js';

/** The keys of the installation. docs/secrets.md describes how to replace them. */
export const SECRET_DESCRIPTORS = {
  signingKeys: keys('URL_SIGNING_KEY', {
    text: 'Keys that sign file URLs, newest first, separated by commas. The first key signs; all keys are accepted. Set the same list for every process. See docs/secrets.md.',
  }),
  sealingKeys: keys('SEALING_KEY', {
    text: "Keys that encrypt secrets in the database, newest first, separated by commas. The first key encrypts; all keys decrypt. Set the same list for every process. Keep a copy: without the key, the secrets can't be read. See docs/secrets.md.",
  }),
} as const satisfies Record<string, Descriptor<unknown>>;
