import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AccountEntity } from '../../../src/accounts/account.entity.js';
import { AccountsService } from '../../../src/accounts/accounts.service.js';
import { ApiKeyEntity } from '../../../src/auth/keys/api-key.entity.js';
import { createDataSource } from '../../../src/infra/database/data-source.js';
import type { PlanLimits } from '../../../src/kernel/plans.js';
import { DEFAULT_SCOPES } from '../../../src/kernel/scopes.js';
import { CuttableProxy } from '../network/cuttable-proxy.js';
import { FlowService } from '../roles/flow-service.js';
import { IdleWorker } from '../roles/idle-worker.js';
import { SwallowingProxy } from '../network/swallowing-proxy.js';
import { portrait } from '../images/portrait.js';

/** No test is about the rate limit unless it says so. */
const AMPLE: Partial<PlanLimits> = { rpm: 1_000_000, keys: 20 };

/** The limits and scopes of a new account, or the key that a command is about. */
type Order = Partial<PlanLimits> & { readonly webhooks?: boolean };
type Swallowing = { readonly count: number };
type Question = { readonly key: string };
type Command = Order & Question & Swallowing;

/**
 * The real service for tests in another language: they ask over HTTP for what only the process that started it
 * can do. One command at a time.
 */
export class ClientControl {
  private readonly dataSource;
  private readonly worker: IdleWorker;
  private accounts = 0;
  private swallowed: Promise<void> = Promise.resolve();
  private turn: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly service: FlowService,
    private readonly proxy: CuttableProxy,
    private readonly swallowing: SwallowingProxy,
    private readonly server: Server,
  ) {
    this.worker = new IdleWorker(service);
    const { databaseUrl } = service;
    const entities = [AccountEntity, ApiKeyEntity];
    this.dataSource = createDataSource({ databaseUrl, poolSize: 2, applicationName: 'stage', entities });
  }

  static async start(): Promise<ClientControl> {
    const service = await FlowService.start({
      models: 'all',
      env: {
        WEBHOOK_ALLOW_HTTP: 'true',
        WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
        UPLOAD_FROM_URL_ALLOW_HTTP: 'true',
        UPLOAD_FROM_URL_ALLOW_NETWORKS: '127.0.0.0/8',
        // This name never resolves, by definition: clients must use the URL that they were given.
        PUBLIC_URL: 'http://images.invalid:1/base',
      },
    });
    const server = createServer();
    const control = new ClientControl(
      service,
      await CuttableProxy.start(service.baseUrl),
      await SwallowingProxy.start(service.baseUrl),
      server,
    );
    await control.dataSource.initialize();
    server.on('request', (request, response) => {
      control
        .answer(request)
        .then((answer) => response.end(JSON.stringify(answer)))
        .catch((error: unknown) => response.writeHead(500).end(String(error)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return control;
  }

  /** The variables that tell the tests where everything is. */
  get environment(): Record<string, string> {
    const { port } = this.server.address() as AddressInfo;
    return {
      STAGE_URL: this.service.baseUrl,
      STAGE_PROXY_URL: this.proxy.urlOf(this.service.baseUrl).replace(/\/$/, ''),
      STAGE_SWALLOW_URL: this.swallowing.url,
      STAGE_CONTROL_URL: `http://127.0.0.1:${port}`,
    };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await this.proxy.close();
    await this.swallowing.close();
    await this.dataSource.destroy();
    await this.service.close();
  }

  private async answer(request: IncomingMessage): Promise<object> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const order = JSON.parse(Buffer.concat(chunks).toString()) as Command;
    const run = this.turn.then(() => this.run(request.url!.slice(1), order));
    this.turn = run.catch(() => undefined);
    return run;
  }

  private async run(command: string, order: Command): Promise<object> {
    switch (command) {
      case 'account':
        return { key: await this.newKey(order) };
      case 'portrait':
        return { base64: (await portrait('jpeg')).toString('base64') };
      case 'used':
        return { used: await this.used(order.key) };
      case 'fresh-minute':
        await this.dataSource.query('DELETE FROM rate_limits');
        return {};
      case 'stop-worker':
        await this.worker.pause();
        return {};
      case 'start-worker':
        this.worker.resume();
        return {};
      case 'kill-api':
        await this.service.killRole('api');
        return {};
      case 'start-api':
        await this.service.startRole('api');
        return {};
      case 'cut-proxy':
        await this.proxy.cut();
        await this.proxy.mend();
        return {};
      case 'swallow':
        this.swallowed = this.swallowing.swallow(order.count);
        return {};
      case 'swallowed':
        await this.swallowed;
        return {};
      default:
        throw new Error(`there is no command ${command}`);
    }
  }

  private async newKey({ webhooks, ...limits }: Order): Promise<string> {
    const service = new AccountsService(this.dataSource);
    const email = `client${(this.accounts += 1)}@example.org`;
    const { account, key } = await service.create(email, 'business', { ...AMPLE, ...limits });
    if (webhooks !== true) return key.key;
    const scopes = [...DEFAULT_SCOPES, 'webhook:manage'] as const;
    return (await service.createKey(account.id, 'webhooks', scopes, null)).key;
  }

  /** The number of enhancements charged to the account of a key. */
  private async used(key: string): Promise<number> {
    const answer = await fetch(`${this.service.baseUrl}/api/usage`, { headers: { 'x-api-key': key } });
    return ((await answer.json()) as { enhancements: { used: number } }).enhancements.used;
  }
}
