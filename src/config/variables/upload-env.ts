import { type Descriptor, flag, integer, networks, oneOf } from './descriptor.js';

/** Uploads from URLs, and direct uploads. */
export const UPLOAD_DESCRIPTORS = {
  uploadFromUrl: oneOf('UPLOAD_FROM_URL', {
    values: ['on', 'off'],
    default: 'on',
    text: 'Whether clients may upload by URL (`{"url": "https://…"}`). The service fetches the file from public addresses only. `off`: such requests get 403 `feature_disabled`.',
  }),
  uploadFromUrlAllowHttp: flag('UPLOAD_FROM_URL_ALLOW_HTTP', {
    default: false,
    text: 'Allow uploads from `http:` URLs.',
  }),
  uploadFromUrlAllowNetworks: networks('UPLOAD_FROM_URL_ALLOW_NETWORKS', {
    text: 'Private networks that uploads may be fetched from. Every customer can then read images from that network. For development, and for image servers in your own network.',
  }),
  uploadFromUrlTimeoutMs: integer('UPLOAD_FROM_URL_TIMEOUT_MS', {
    default: 15_000,
    min: 50,
    max: 60_000,
    text: 'Time limit for fetching a file from a URL, including redirects.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;
