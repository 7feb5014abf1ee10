import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/** Receives traces (OTLP over HTTP, in JSON) and stores every span with the name of its service. */
export async function startTraceSink() {
  const spans = [];
  const take = async (request, response) => {
    const { resourceSpans } = await json(request);
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name').value.stringValue;
      spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => spanOf(service, span))));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${server.address().port}`,
    of: (traceId) => spans.filter((span) => span.traceId === traceId),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Times in milliseconds. */
function spanOf(service, { traceId, spanId, parentSpanId, name, startTimeUnixNano, endTimeUnixNano }) {
  const ms = (nanoseconds) => Number(BigInt(nanoseconds) / 1_000n) / 1_000;
  const [startMs, endMs] = [ms(startTimeUnixNano), ms(endTimeUnixNano)];
  return { service, traceId, spanId, parentSpanId, name, startMs, endMs };
}
