import { ReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { setImmediate as nextIteration } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Permits } from '../../kernel/permits/permits.js';

/** Chunks that all responses together write in one iteration of the event loop. */
const MAX_CHUNKS = 4;

/**
 * Lets responses with a file, such as the scripts of the dashboard, take turns. The event loop accepts one connection
 * per iteration, and without a limit one iteration serves every reader: see `DiskObjectStream`.
 */
export function paceFiles(fastify: FastifyInstance): void {
  const turns = new Permits(MAX_CHUNKS);
  fastify.addHook('onSend', (_request, _reply, payload, done) => {
    done(null, payload instanceof ReadStream ? new PacedStream(payload, turns) : payload);
  });
}

/** The bytes of another stream, which it destroys. Each chunk takes a permit until the next iteration. */
class PacedStream extends Readable {
  private readonly chunks: AsyncIterator<Buffer>;

  constructor(
    private readonly source: Readable,
    private readonly turns: Permits,
  ) {
    super({ highWaterMark: source.readableHighWaterMark });
    // It may fail before the first turn, for example when too many files are open.
    source.once('error', (error) => this.destroy(error));
    this.chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  override _read(): void {
    void this.turns.run(() => this.takeChunk());
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.source.destroy();
    callback(error);
  }

  private async takeChunk(): Promise<void> {
    try {
      const { value, done } = await this.chunks.next();
      this.push(done === true ? null : value);
    } catch (error) {
      this.destroy(error as Error);
    }
    // A chunk that was read ahead is there at once.
    await nextIteration();
  }
}
