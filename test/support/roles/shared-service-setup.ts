import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { TestProject } from 'vitest/node';
import { DESCRIPTORS } from '../../../src/config/env.js';
import type { PlanLimits } from '../../../src/kernel/plans.js';
import { copyTemplate } from '../database/postgres.js';
import { WEBHOOK_ENV } from '../webhooks/flow-webhooks.js';
import { createFlowAccount } from './flow-account.js';
import { FlowService } from './flow-service.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where SharedService asks for the URLs of the service (`GET /`) and for accounts (`POST /accounts`). */
    sharedServiceUrl: string;
  }
}

/** All specs come from one IP address, so its limits must fit all of them. */
const AMPLE = {
  AUTH_FAILURES_PER_MINUTE: '100000',
  SIGN_UPS_PER_MINUTE: '100000',
  SIGN_IN_ATTEMPTS_PER_MINUTE: '100000',
};

/** Specs with their own service have one stream; this one has the default number. */
const STREAMS = { INFERENCE_STREAMS: DESCRIPTORS.inferenceStreams.defaultText };

/** Each project loads this module again, so shared state is stored on the process. */
interface Shared {
  users: number;
  server?: Promise<Server>;
  service?: Promise<FlowService>;
}
const shared = ((globalThis as { iesSharedService?: Shared }).iesSharedService ??= { users: 0 });

/** Called by vitest once for each project, after PostgreSQL is up. The service starts when a spec asks for it. */
export async function setup(project: TestProject): Promise<void> {
  const { templateUrl } = project.getProvidedContext();
  shared.users += 1;
  const { port } = (await (shared.server ??= listen(templateUrl))).address() as AddressInfo;
  project.provide('sharedServiceUrl', `http://127.0.0.1:${port}`);
}

/** Called by vitest as often as `setup`, before PostgreSQL stops. */
export async function teardown(): Promise<void> {
  if ((shared.users -= 1) > 0) return;
  const server = await shared.server;
  server?.closeAllConnections();
  server?.close();
  await (await shared.service)?.close();
}

async function listen(templateUrl: string): Promise<Server> {
  const server = createServer((request, response) => {
    answer(request, templateUrl).then(
      (body) => response.end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}

async function answer(request: IncomingMessage, templateUrl: string): Promise<unknown> {
  const { baseUrl, databaseUrl } = await (shared.service ??= start(templateUrl));
  if (request.url !== '/accounts') return { baseUrl, databaseUrl };
  return createFlowAccount(databaseUrl, (await json(request)) as Partial<PlanLimits>);
}

async function start(templateUrl: string): Promise<FlowService> {
  const { databaseUrl } = await copyTemplate(templateUrl);
  return FlowService.start({ databaseUrl, models: 'all', env: { ...WEBHOOK_ENV, ...AMPLE, ...STREAMS } });
}
