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
    /** Where SharedService asks for the addresses of the service (`GET /`) and for accounts (`POST /accounts`). */
    sharedServiceUrl: string;
  }
}

/** All specs come from one address, so its limits must hold them all. */
const AMPLE = {
  AUTH_FAILURES_PER_MINUTE: '100000',
  SIGN_UPS_PER_MINUTE: '100000',
  SIGN_IN_ATTEMPTS_PER_MINUTE: '100000',
};

/** Specs with a service of their own have one stream; this one has as many as by default. */
const STREAMS = { INFERENCE_STREAMS: DESCRIPTORS.inferenceStreams.defaultText };

let server: Server | undefined;
let started: Promise<FlowService> | undefined;

/** Called by vitest once, after PostgreSQL is there. The service itself waits until a spec asks for it. */
export async function setup(project: TestProject): Promise<void> {
  const { templateUrl } = project.getProvidedContext();
  server = createServer((request, response) => {
    answer(request, templateUrl).then(
      (body) => response.end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => {
    server!.listen(0, '127.0.0.1', resolve);
  });
  project.provide('sharedServiceUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** Called by vitest once, before PostgreSQL is stopped. */
export async function teardown(): Promise<void> {
  server?.closeAllConnections();
  server?.close();
  await (await started)?.close();
}

async function answer(request: IncomingMessage, templateUrl: string): Promise<unknown> {
  const { baseUrl, databaseUrl } = await (started ??= start(templateUrl));
  if (request.url !== '/accounts') return { baseUrl, databaseUrl };
  return createFlowAccount(databaseUrl, (await json(request)) as Partial<PlanLimits>);
}

async function start(templateUrl: string): Promise<FlowService> {
  const { databaseUrl } = await copyTemplate(templateUrl);
  return FlowService.start({ databaseUrl, models: 'all', env: { ...WEBHOOK_ENV, ...AMPLE, ...STREAMS } });
}
