import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeInfer, JSON_LENGTH_HEADER } from '../../../src/inference/engines/triton/infer-message.js';
import type { ModelMetadata } from '../../../src/inference/engines/triton/model-metadata.js';
import type { NamedTensors } from '../../../src/inference/tensor.js';

/** A model of the server. */
export interface ServedModel {
  readonly metadata: ModelMetadata;
  readonly maxBatchSize?: number;
  readonly run: (inputs: NamedTensors) => Promise<NamedTensors> | NamedTensors;
}

/** What the server does with the next requests instead of serving them. */
export type Fault =
  | {
      readonly status: number;
      readonly error: string;
      readonly retryAfter?: string;
      /** Only for requests with at least that many items. */
      readonly fromBatch?: number;
    }
  /** No fault: the request is served. */
  | 'work'
  /** Never answers. */
  | 'silence'
  /** Cuts the connection. */
  | 'cut';

export interface SeenRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  /** The number of items of an inference request. */
  readonly batch?: number;
  /** Resolves when the client has closed the connection before the response. */
  readonly canceled: Promise<void>;
}

const INFER = /^\/v2\/models\/([^/]+)\/versions\/(\d+)\/infer$/;
const MODEL = /^\/v2\/models\/([^/]+)\/versions\/(\d+)(\/ready|\/config)?$/;

/**
 * A server that speaks the Open Inference Protocol v2 over HTTP with binary tensors, as far as the engine uses it. It
 * replaces Triton where that is not installed, and fails on demand.
 */
export class ProtocolServer {
  readonly seen: SeenRequest[] = [];
  /** Applied to inference requests, first in, first out. */
  readonly faults: Fault[] = [];
  /** Takes every request and answers none, not even about its health. */
  isHung = false;
  /** Replaces the limit of every model, like a changed configuration. */
  maxBatchSize: number | undefined;
  /** Changes every result, like a model that was replaced or is broken. */
  rewrite: (outputs: NamedTensors) => NamedTensors = (outputs) => outputs;
  private port = 0;

  private constructor(
    private readonly models: ReadonlyMap<string, ServedModel>,
    private server: Server,
  ) {}

  /** @param models by `name/version` */
  static async start(models: Readonly<Record<string, ServedModel>>): Promise<ProtocolServer> {
    const server = new ProtocolServer(new Map(Object.entries(models)), createServer());
    await server.listen();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get inferences(): readonly SeenRequest[] {
    return this.seen.filter(({ path }) => INFER.test(path));
  }

  /** Cuts every connection and refuses new ones, like a killed server. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.faults.length = 0;
    this.server.closeAllConnections();
    await closed;
  }

  /** Listens again on the same port. */
  async listen(): Promise<void> {
    this.server = createServer((request, response) => {
      // The client may disconnect in the middle of its request.
      this.answer(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const body = await bodyOf(request);
    const canceled = new Promise<void>((resolve) => {
      response.once('close', () => {
        if (!response.writableFinished) resolve();
      });
    });
    const infer = INFER.exec(path);
    const jsonLength = request.headers[JSON_LENGTH_HEADER] as string | undefined;
    const seen = { path, authorization: request.headers.authorization, canceled };
    if (infer === null) {
      this.seen.push(seen);
      if (this.isHung) return;
      this.describe(path, response);
      return;
    }
    const inputs = inputsOf(body, jsonLength);
    this.seen.push({ ...seen, batch: inputs['image']!.dims[0]! });
    await this.infer(this.models.get(`${infer[1]}/${infer[2]}`), inputs, response);
  }

  private describe(path: string, response: ServerResponse): void {
    const [, name, version, what] = MODEL.exec(path) ?? [];
    const model = this.models.get(`${name}/${version}`);
    if (model === undefined)
      reply(response, 404, { error: `Request for unknown model: '${name}' is not found` });
    else if (what === '/ready') reply(response, 200, {});
    else if (what === '/config')
      reply(response, 200, { max_batch_size: this.maxBatchSize ?? model.maxBatchSize ?? 4 });
    else reply(response, 200, { name, versions: [version], ...model.metadata });
  }

  private async infer(
    model: ServedModel | undefined,
    inputs: NamedTensors,
    response: ServerResponse,
  ): Promise<void> {
    if (this.isHung) return;
    const batch = inputs['image']!.dims[0]!;
    const at = this.faults.findIndex((one) => typeof one === 'string' || batch >= (one.fromBatch ?? 1));
    const [fault] = at === -1 ? [] : this.faults.splice(at, 1);
    if (fault === 'silence') return;
    if (fault === 'cut') {
      response.destroy();
      return;
    }
    if (fault !== undefined && fault !== 'work') {
      if (fault.retryAfter !== undefined) response.setHeader('retry-after', fault.retryAfter);
      reply(response, fault.status, { error: fault.error });
      return;
    }
    if (model === undefined) {
      reply(response, 404, { error: 'no such model' });
      return;
    }
    sendTensors(response, this.rewrite(await model.run(inputs)));
  }
}

/** A request has the same layout as a response, under another name. */
function inputsOf(body: Buffer, jsonLength: string | undefined): NamedTensors {
  const length = Number(jsonLength);
  const { inputs } = JSON.parse(body.toString('utf8', 0, length)) as { inputs: unknown };
  const json = Buffer.from(JSON.stringify({ outputs: inputs }));
  return decodeInfer(Buffer.concat([json, body.subarray(length)]), String(json.length));
}

function sendTensors(response: ServerResponse, tensors: NamedTensors): void {
  const named = Object.entries(tensors);
  const outputs = named.map(([name, { type, dims, data }]) => ({
    name,
    datatype: type === 'uint8' ? 'UINT8' : 'FP32',
    shape: dims,
    parameters: { binary_data_size: data.byteLength },
  }));
  const json = Buffer.from(JSON.stringify({ outputs }));
  response.setHeader(JSON_LENGTH_HEADER, json.length);
  response.setHeader('content-type', 'application/octet-stream');
  response.end(
    Buffer.concat([
      json,
      ...named.map(([, { data }]) => Buffer.from(data.buffer, data.byteOffset, data.byteLength)),
    ]),
  );
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function reply(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(json));
}
