import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { type Dispatcher, fetch, request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AddressRefused } from './address-refused.js';
import { createHostLookup } from './host-lookup.js';
import { createOutboundAgent, type OutboundAgentOptions } from './outbound-agent.js';
import { serveNames, type NameServer } from './testing/name-server.js';
import { LOCALHOST_CERTIFICATE } from './testing/localhost-certificate.js';

const LOCAL = ['127.0.0.0/8', '::1/128'];
const CLOSED = { allowHttp: true, allowNetworks: [], connectTimeoutMs: 2000 };

describe('createOutboundAgent', () => {
  let receiver: Server;
  let seen: string[];
  let agents: Dispatcher[];
  let names: NameServer;
  const port = () => (receiver.address() as AddressInfo).port;
  const agent = (options: Partial<OutboundAgentOptions> = {}) => {
    const made = createOutboundAgent({ ...CLOSED, ...options });
    agents.push(made);
    return made;
  };
  const call = (url: string, dispatcher: Dispatcher) =>
    request(url, { dispatcher, method: 'POST', body: 'x' });

  beforeAll(async () => {
    names = await serveNames();
    receiver = createServer((incoming, outgoing) => {
      seen.push(incoming.url!);
      if (incoming.url === '/away') outgoing.writeHead(302, { location: '/inner' });
      if (incoming.url === '/other') {
        outgoing.writeHead(307, { location: `http://[::1]:${port()}/inner` });
      }
      outgoing.end('heard');
    });
    seen = [];
    agents = [];
    await new Promise<void>((done) => void receiver.listen(0, '127.0.0.1', done));
  });
  afterEach(async () => {
    seen = [];
    await Promise.all(agents.splice(0).map((made) => made.destroy()));
  });
  afterAll(async () => {
    await names.close();
    await new Promise((done) => void receiver.close(done));
  });

  it.each([
    '127.0.0.1',
    '0177.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    '[::]',
    '127.1',
  ])('refuses every spelling of a local address: %s', async (host) => {
    await expect(call(`http://${host}:${port()}/`, agent())).rejects.toThrow(AddressRefused);
    expect(seen).toEqual([]);
  });

  it('connects only to allowed networks', async () => {
    const allowing = agent({ allowNetworks: LOCAL });
    const answer = await call(`http://127.0.0.1:${port()}/a`, allowing);
    expect(await answer.body.text()).toBe('heard');
    await expect(call(`http://10.0.0.1:${port()}/`, allowing)).rejects.toThrow('10.0.0.1 is private');
    await expect(call(`http://[::ffff:7f00:1]:${port()}/`, allowing)).rejects.toThrow(/mapped/);
  });

  it('refuses http unless it is allowed', async () => {
    const closed = agent({ allowHttp: false, allowNetworks: LOCAL });
    await expect(call(`http://127.0.0.1:${port()}/`, closed)).rejects.toThrow('Only https is allowed');
    expect(seen).toEqual([]);
  });

  it('connects to no port of another service, and only to the ports that the operator allows', async () => {
    const refused = [
      call('http://127.0.0.1:22/', agent({ allowNetworks: LOCAL })),
      call('http://127.0.0.1:5432/', agent({ allowNetworks: LOCAL })),
      call('http://127.0.0.1/', agent({ allowNetworks: LOCAL, allowPorts: [{ first: 443, last: 443 }] })),
      call(`http://127.0.0.1:${port()}/`, agent({ allowNetworks: LOCAL, allowPorts: [] })),
    ];
    for (const one of refused) await expect(one).rejects.toThrow(/^Port \d+ is not allowed\./);
    const allowPorts = [{ first: port(), last: port() }];
    const answer = await call(
      `http://127.0.0.1:${port()}/allowed`,
      agent({ allowNetworks: LOCAL, allowPorts }),
    );
    expect(await answer.body.text()).toBe('heard');
    expect(seen).toEqual(['/allowed']);
  });

  it('refuses a name if any of its addresses is not public, without revealing the address', async () => {
    names.set('two.test', ['8.8.8.8', '192.168.7.7']);
    const failed = call('http://two.test/', agent({ lookup: lookupFrom(names) }));
    await expect(failed).rejects.toThrow(AddressRefused);
    await expect(failed).rejects.toThrow(/^two\.test resolves to an address that is private/);
    await expect(failed).rejects.not.toThrow(/192\.168/);
  });

  it('refuses a name with only a private IPv6 address', async () => {
    names.set('six.test', ['fd00::1']);
    await expect(call('http://six.test/', agent({ lookup: lookupFrom(names) }))).rejects.toThrow(
      /unique local/,
    );
  });

  it('resolves a name once per connection, so a changed answer cannot redirect it', async () => {
    names.set('turning.test', ['127.0.0.1'], ['10.0.0.1']);
    const first = agent({ lookup: lookupFrom(names), allowNetworks: LOCAL });
    const url = `http://turning.test:${port()}/turn`;
    expect((await call(url, first)).statusCode).toBe(200);
    expect(names.questions('turning.test')).toBe(1);
    // A new connection resolves and checks the same name again.
    await expect(call(url, agent({ lookup: lookupFrom(names), allowNetworks: LOCAL }))).rejects.toThrow(
      /turning\.test resolves to an address that is private/,
    );
    expect(names.questions('turning.test')).toBe(2);
    expect(seen).toEqual(['/turn']);
  });

  it('refuses a name that was public when it was entered and is private when it is called', async () => {
    names.set('rebinding.test', ['93.184.216.34'], ['127.0.0.1']);
    const lookup = lookupFrom(names);
    expect(await lookup('rebinding.test')).toEqual(['93.184.216.34']);
    await expect(call(`http://rebinding.test:${port()}/`, agent({ lookup }))).rejects.toThrow(AddressRefused);
    expect(seen).toEqual([]);
  });

  it('closes an idle connection after a few seconds, even if its server asks to keep it for minutes', async () => {
    const patient = createServer({ keepAliveTimeout: 600_000 }, (_incoming, outgoing) => outgoing.end('x'));
    await new Promise<void>((done) => void patient.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(patient.address() as AddressInfo).port}/`;
    const connections = () => promisify(patient.getConnections.bind(patient))();
    try {
      const answer = await call(url, agent({ allowNetworks: LOCAL }));
      expect(answer.headers['keep-alive']).toBe('timeout=600');
      await answer.body.dump();
      expect(await connections()).toBe(1);
      await expect.poll(connections, { timeout: 20_000, interval: 100 }).toBe(0);
    } finally {
      patient.closeAllConnections();
      await new Promise((done) => void patient.close(done));
    }
  });

  it('does not follow redirects', async () => {
    const answer = await call(`http://127.0.0.1:${port()}/away`, agent({ allowNetworks: LOCAL }));
    expect(answer.statusCode).toBe(302);
    expect(seen).toEqual(['/away']);
  });

  it('checks the next hop, too, for a client that follows redirects', async () => {
    const dispatcher = agent({ allowNetworks: ['127.0.0.0/8'] });
    const failed = fetch(`http://127.0.0.1:${port()}/other`, { dispatcher });
    await expect(failed).rejects.toMatchObject({ cause: { code: 'ERR_ADDRESS_REFUSED' } });
    expect(seen).toEqual(['/other']);
  });

  it('reports an unknown name', async () => {
    await expect(call('http://nobody.test/', agent({ lookup: lookupFrom(names) }))).rejects.toMatchObject({
      code: 'ENOTFOUND',
    });
  });

  it('resolves the names of this machine where its networks are allowed', async () => {
    const answer = await call(`http://localhost:${port()}/named`, agent({ allowNetworks: LOCAL }));
    expect(answer.statusCode).toBe(200);
    expect(seen).toEqual(['/named']);
  });

  it('resolves a name without dots through the system only if allowed, even if no name server answers', async () => {
    names.silence('localhost');
    const servers = [names.address];
    const lookup = (useSystemNames: boolean) => createHostLookup({ timeoutMs: 50, useSystemNames, servers });
    expect(await lookup(true)('localhost')).toContain('127.0.0.1');
    await expect(lookup(false)('localhost')).rejects.toMatchObject({ code: 'ETIMEOUT' });
  });

  it('limits the wait for a name server to the connection timeout', async () => {
    names.silence('slow.test');
    const slow = agent({ lookup: lookupFrom(names), connectTimeoutMs: 300 });
    await expect(call('http://slow.test/', slow)).rejects.toThrow(/timeout/i);
  });

  it.each([
    ['6', 6, '127.0.0.1'],
    ['4', 4, '::1'],
  ] as const)('finds a host whose questions for IPv%s are dropped', async (_, family, address) => {
    names.set('half.test', [address]);
    names.drop('half.test', family);
    const lookup = createHostLookup({ timeoutMs: 1000, useSystemNames: false, servers: [names.address] });
    const startedMs = performance.now();
    expect(await lookup('half.test')).toEqual([address]);
    // The resolver alone gives up after about three times its timeout.
    expect(performance.now() - startedMs).toBeLessThan(2500);
  });

  it('asks again for IPv4 addresses whose response was lost, although there are IPv6 addresses', async () => {
    names.set('late.test', ['127.0.0.1', '::1']);
    names.drop('late.test', 4, 1);
    const lookup = createHostLookup({ timeoutMs: 700, useSystemNames: false, servers: [names.address] });
    expect(await lookup('late.test')).toEqual(['127.0.0.1', '::1']);
  });

  it('connects to a host whose questions for IPv6 are dropped', async () => {
    names.set('half.test', ['127.0.0.1']);
    names.drop('half.test', 6);
    const lookup = createHostLookup({ timeoutMs: 1000, useSystemNames: false, servers: [names.address] });
    const dispatcher = agent({ lookup, allowNetworks: LOCAL });
    expect((await call(`http://half.test:${port()}/half`, dispatcher)).statusCode).toBe(200);
  });

  it('sends the host name in the TLS handshake and checks the certificate despite the pinned address', async () => {
    const { key, cert } = LOCALHOST_CERTIFICATE;
    const hosts: unknown[] = [];
    const secure = createTlsServer({
      key,
      cert,
      SNICallback: (name, done) => (hosts.push(name), done(null)),
    });
    secure.on('request', (_incoming, outgoing) => outgoing.end('sealed'));
    await new Promise<void>((done) => void secure.listen(0, '127.0.0.1', done));
    const tlsPort = (secure.address() as AddressInfo).port;
    names.set('localhost', ['127.0.0.1']);
    names.set('other.test', ['127.0.0.1']);
    const trusting = agent({ lookup: lookupFrom(names), allowNetworks: LOCAL, certificateAuthority: cert });
    try {
      const answer = await call(`https://localhost:${tlsPort}/`, trusting);
      expect(await answer.body.text()).toBe('sealed');
      expect(hosts).toEqual(['localhost']);
      await expect(call(`https://other.test:${tlsPort}/`, trusting)).rejects.toMatchObject({
        code: 'ERR_TLS_CERT_ALTNAME_INVALID',
      });
      const usual = agent({ lookup: lookupFrom(names), allowNetworks: LOCAL });
      await expect(call(`https://localhost:${tlsPort}/`, usual)).rejects.toThrow(/self.signed/);
    } finally {
      secure.closeAllConnections();
      await new Promise((done) => void secure.close(done));
    }
  });
});

function lookupFrom(names: NameServer) {
  return createHostLookup({ timeoutMs: 200, useSystemNames: false, servers: [names.address] });
}
