import type { StageRef } from '../../../models/manifest/model-route.js';
import { elementCount, type NamedTensors, type Tensor } from '../../tensor.js';
import type { Engine, Graph } from '../engine.js';
import { decodeInfer, encodeInfer, JSON_LENGTH_HEADER } from './infer-message.js';
import { checkMetadata, type ModelMetadata, wantsColumn } from './model-metadata.js';
import type { Replicas } from './replicas.js';
import { ModelAbsent, ServerUnavailable } from './server-errors.js';

/** How long a run is retried while no replica accepts it, milliseconds. Its job then returns to the queue. */
const RUN_PATIENCE_MS = 10_000;
/** A server without a response by then is unavailable, because metadata needs no computation. */
const MAX_METADATA_TIMEOUT_MS = 5_000;

export interface TritonOptions {
  /** Default replicas for stages whose manifest names none. */
  readonly urls: readonly string[];
  /** Deadline of one request, milliseconds. */
  readonly timeoutMs: number;
  /** Concurrent requests. */
  readonly concurrency: number;
  /** Default 10,000. */
  readonly patienceMs?: number;
}

/** Used without a configured server: manifests may name their own. */
export const NO_SERVER: TritonOptions = { urls: [], timeoutMs: 30_000, concurrency: 4 };

/**
 * Runs stages on inference servers that speak the Open Inference Protocol v2 over HTTP: Triton, KServe and others.
 * A run does not block its thread.
 */
export class TritonEngine implements Engine {
  readonly provider = 'triton';
  private readonly servers = new Map<string, Replicas>();

  constructor(private readonly options: TritonOptions) {}

  /**
   * Reads the model's metadata from the server and compares it with the manifest.
   * @throws ServerUnavailable; ModelAbsent; Error with how the model differs from the manifest
   */
  async load(stage: StageRef): Promise<Graph> {
    const path = modelPath(stage);
    const server = await this.serverOf(stage);
    const metadata = (await this.read(server, path)) as ModelMetadata;
    checkMetadata(stage, metadata, await this.maxBatchSize(server, path));
    return new TritonGraph(server, path, metadata, this.options);
  }

  /** Whether a replica is ready to run a stage. */
  async isReady(stage: StageRef): Promise<boolean> {
    try {
      await this.get(await this.serverOf(stage), `${modelPath(stage)}/ready`);
      return true;
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.servers.values()].map((server) => server.close()));
  }

  private async serverOf({ id, remote }: StageRef): Promise<Replicas> {
    const urls = remote?.url === undefined ? this.options.urls : addressesIn(remote.url);
    if (urls.length === 0)
      throw new ServerUnavailable(`no inference server is configured for ${id}; set TRITON_URL`);
    // Imported on demand: most workers use no server, and would start more slowly with its HTTP client.
    const { Replicas } = await import('./replicas.js');
    const key = urls.join();
    const known = this.servers.get(key);
    if (known !== undefined) return known;
    const server = new Replicas(urls, this.options.concurrency);
    this.servers.set(key, server);
    return server;
  }

  private async read(server: Replicas, path: string): Promise<unknown> {
    const { body } = await this.get(server, path);
    return JSON.parse(body.toString('utf8'));
  }

  /** Undefined from servers without this Triton extension of the protocol. */
  private async maxBatchSize(server: Replicas, path: string): Promise<number | undefined> {
    try {
      const { max_batch_size: size } = (await this.read(server, `${path}/config`)) as {
        max_batch_size?: number;
      };
      return size;
    } catch (error) {
      if (error instanceof ServerUnavailable) throw error;
      return undefined;
    }
  }

  private get(server: Replicas, path: string): ReturnType<Replicas['request']> {
    const timeoutMs = Math.min(this.options.timeoutMs, MAX_METADATA_TIMEOUT_MS);
    return server.request({ path, timeoutMs }, { patienceMs: 0 });
  }
}

class TritonGraph implements Graph {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  private readonly columns: ReadonlySet<string>;

  constructor(
    private readonly server: Replicas,
    private readonly path: string,
    { inputs, outputs }: ModelMetadata,
    private readonly options: TritonOptions,
  ) {
    this.inputNames = inputs.map(({ name }) => name);
    this.outputNames = outputs.map(({ name }) => name);
    this.columns = new Set(inputs.filter(wantsColumn).map(({ name }) => name));
  }

  /**
   * @param signal aborts the request
   * @throws ServerUnavailable when no replica accepted the request; RequestRefused, ServerFailed; the signal's reason
   */
  async run(inputs: NamedTensors, signal?: AbortSignal): Promise<NamedTensors> {
    const { timeoutMs, patienceMs = RUN_PATIENCE_MS } = this.options;
    const shaped = Object.entries(inputs).map(([name, tensor]) => [name, this.shaped(name, tensor)] as const);
    const { body, jsonLength } = encodeInfer(Object.fromEntries(shaped), this.outputNames, timeoutMs);
    const headers = {
      'content-type': 'application/octet-stream',
      [JSON_LENGTH_HEADER]: String(jsonLength),
    };
    const request = { path: `${this.path}/infer`, body, headers, timeoutMs };
    try {
      const answer = await this.server.request(request, { signal, patienceMs });
      return decodeInfer(answer.body, answer.headers[JSON_LENGTH_HEADER] as string | undefined);
    } catch (error) {
      // The model existed when the graph was loaded, so the server is restarting or replacing models.
      if (error instanceof ModelAbsent) throw new ServerUnavailable(error.message, { cause: error });
      throw error;
    }
  }

  async release(): Promise<void> {
    // Nothing to close: the connections belong to the engine.
  }

  private shaped(name: string, tensor: Tensor): Tensor {
    if (!this.columns.has(name) || tensor.dims.length !== 1) return tensor;
    return { ...tensor, dims: [elementCount(tensor.dims), 1] };
  }
}

/** Splits URLs separated by commas, as in `TRITON_URL`. */
function addressesIn(list: string): readonly string[] {
  return list.split(',').map((url) => url.trim());
}

function modelPath({ id, remote }: StageRef): string {
  if (remote === undefined) throw new TypeError(`the stage ${id} is not remote`);
  return `/v2/models/${encodeURIComponent(remote.model)}/versions/${remote.version}`;
}
