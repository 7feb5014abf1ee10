import { installedTriton } from '../../../scripts/triton/triton-home.mjs';
import { TritonServer, useOnnxRuntimeFromPython } from '../../../scripts/triton/triton-server.mjs';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';
import { serveRepository } from './onnx-server.js';
import type { Fault, ProtocolServer } from './protocol-server.js';

/** More requests than any job makes concurrently. */
const HELD = 100;

/** An inference server that can be killed and started again at the same address. */
export interface FlowInferenceServer {
  readonly url: string;
  start(): Promise<void>;
  /** Answers that many further inference requests, then none until it is killed. A real Triton answers all. */
  holdAfter(requests: number): void;
  /** Whether it holds all requests that a client has sent since `holdAfter`. A real Triton holds none, and says true. */
  isHolding(): boolean;
  /** The number of items sent to a model since the start. */
  inferences(model: string, version: number): Promise<number>;
  /** `kill -9`: connections break, and new ones are refused. */
  kill(): Promise<void>;
}

/** The real Triton if it is set up, otherwise a server in this process with the same protocol. Not started yet. */
export async function flowInferenceServer(repository: string): Promise<FlowInferenceServer> {
  return installedTriton() === undefined ? protocolServer(repository) : realTriton(repository);
}

async function realTriton(repository: string): Promise<FlowInferenceServer> {
  await useOnnxRuntimeFromPython(repository);
  const server = new TritonServer({ repository, port: await freePort() });
  return {
    url: server.url,
    start: () => server.start(),
    holdAfter: () => undefined,
    isHolding: () => true,
    inferences: async (model, version) => {
      const answer = await fetch(`${server.url}/v2/models/${model}/versions/${version}/stats`);
      const { model_stats: stats } = (await answer.json()) as { model_stats: { inference_count: number }[] };
      return stats[0]!.inference_count;
    },
    kill: () => server.close(),
  };
}

/** A client that waits for held requests sends no others after this time. */
const SETTLED_MS = 500;

async function protocolServer(repository: string): Promise<FlowInferenceServer> {
  let held = { count: 0, sinceMs: 0 };
  const server: ProtocolServer = await serveRepository(repository);
  const { url } = server;
  await server.stop();
  return {
    url,
    start: () => server.listen(),
    holdAfter: (requests) => {
      const silence: Fault[] = Array.from({ length: HELD }, () => 'silence');
      server.faults.push(...Array.from({ length: requests }, (): Fault => 'work'), ...silence);
    },
    isHolding: () => {
      const count = HELD - server.faults.length;
      if (count !== held.count) held = { count, sinceMs: performance.now() };
      return count > 0 && performance.now() - held.sinceMs > SETTLED_MS;
    },
    inferences: async (model, version) => {
      const path = `/v2/models/${model}/versions/${version}/infer`;
      return server.seen.reduce((sum, { path: seen, batch = 0 }) => (seen === path ? sum + batch : sum), 0);
    },
    kill: () => server.stop(),
  };
}
