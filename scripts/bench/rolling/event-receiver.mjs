import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/** A webhook receiver that accepts everything and records the jobs of the events. */
export class EventReceiver {
  /** Ids of jobs, by event type. */
  heard = new Map();
  #server = createServer((request, response) => void this.#take(request, response));

  static async open() {
    const receiver = new EventReceiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}/events`;
  }

  has(type, id) {
    return this.heard.get(type)?.has(id) === true;
  }

  close() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #take(request, response) {
    const { type, data } = await json(request);
    const ids = this.heard.get(type) ?? new Set();
    this.heard.set(type, ids.add(data?.job?.id));
    response.writeHead(204).end();
  }
}
