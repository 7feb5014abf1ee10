/** Where a replica of an inference server listens. */
export interface ServerAddress {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path before `/v2`, without a trailing slash; empty for most servers. */
  readonly prefix: string;
  /** Value of the `Authorization` header, from the user and password in the URL. */
  readonly authorization?: string;
  /** Host and port, for logs and errors. Never contains credentials. */
  readonly name: string;
}

/** @param url `http:` or `https:`, may contain a user and password */
export function serverAddress(url: string): ServerAddress {
  const { origin, host, pathname, username, password } = new URL(url);
  const place = { origin, prefix: pathname.replace(/\/+$/, ''), name: host };
  if (username === '' && password === '') return place;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { ...place, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
