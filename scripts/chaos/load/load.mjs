import { createAccount } from './account.mjs';
import { balancedFetch } from './balanced-fetch.mjs';
import { builtClient } from '../../lib/built.mjs';
import { LoadClient } from './load-client.mjs';
import { seededRandom } from '../random.mjs';

const ACCOUNTS = 2;
const CLIENTS_EACH = 3;

/** A constant load of a few jobs per second, from two accounts with three programs each. */
export class Load {
  #stop = new AbortController();

  constructor(clients, byAccount) {
    this.clients = clients;
    this.byAccount = byAccount;
  }

  /** Creates the accounts, and registers an endpoint for every event of each before the load starts. */
  static async prepare({ fleet, receiver, history, seed, operations }) {
    const { ImageEnhancement } = await builtClient();
    const clients = [];
    const byAccount = new Map();
    for (let number = 1; number <= ACCOUNTS; number += 1) {
      const account = await createAccount(fleet.databaseUrl, `account-${number}`);
      const options = { apiKey: account.key, baseUrl: fleet.apiUrls[0], fetch: balancedFetch(fleet.apiUrls) };
      const client = new ImageEnhancement(options);
      const endpoint = await client.webhooks.endpoints.create({ url: receiver.urlFor(account.id) });
      receiver.expect(account.id, endpoint.secret);
      byAccount.set(account.id, client);
      for (let each = 1; each <= CLIENTS_EACH; each += 1) {
        const name = `client-${number}.${each}`;
        const random = seededRandom(seed, name);
        clients.push(new LoadClient({ name, account, client, history, random, operations }));
      }
    }
    return new Load(clients, byAccount);
  }

  start() {
    this.running = Promise.all(this.clients.map((client) => client.run(this.#stop.signal)));
  }

  /** Repeats reads and requests of deleted things after all faults have ended. */
  async lookAgain() {
    await Promise.all(this.clients.map((client) => client.lookAgain()));
  }

  /** Resolves when the requests in progress have their responses. */
  async stop() {
    this.#stop.abort();
    await this.running;
  }
}
