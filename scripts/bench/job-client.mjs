/** Uploads and jobs of the benchmark's account, over HTTP. */
export class JobClient {
  constructor({ api, account }) {
    this.base = `http://127.0.0.1:${api.port}`;
    this.headers = { 'x-api-key': account.key };
  }

  /** @returns the source in the API's response */
  async upload(bytes) {
    const form = new FormData();
    form.append('file', new Blob([bytes]), 'photo.jpg');
    return this.ask('POST', '/api/ai/upload', form);
  }

  /** @returns the ended job. @throws Error when it failed */
  async enhance(sourceUrl, order) {
    const job = await this.create(sourceUrl, order);
    return this.ended(job.id);
  }

  create(sourceUrl, order) {
    return this.ask('POST', '/api/ai/enhance', { sourceUrl, ...order });
  }

  async ended(id) {
    for (;;) {
      // One request that waits, because polling would use CPU time that the measured work needs.
      const job = await this.ask('GET', `/api/ai/enhance/${id}`, undefined, { prefer: 'wait=60' });
      if (job.status === 'completed') return job;
      if (job.status === 'failed') throw new Error(`job ${id} failed: ${JSON.stringify(job.error)}`);
    }
  }

  /** @returns the result of a completed job */
  async result({ resultUrl }) {
    // The api of a benchmark does not listen at the public address.
    const { pathname, search } = new URL(resultUrl);
    const answer = await fetch(`${this.base}${pathname}${search}`);
    if (!answer.ok) throw new Error(`${resultUrl}: ${answer.status}`);
    return Buffer.from(await answer.arrayBuffer());
  }

  async ask(method, path, body, more = {}) {
    const isForm = body === undefined || body instanceof FormData;
    const answer = await fetch(`${this.base}${path}`, {
      method,
      headers: { ...this.headers, ...more, ...(isForm ? {} : { 'content-type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }
}
