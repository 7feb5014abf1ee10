// A webhook receiver with Express: npm install express, then WEBHOOK_SECRET=whsec_… node express-webhook.mjs
import express from 'express';
import { verifyWebhook, WebhookSignatureError } from 'image-enhancement-client';

const app = express();
/** Ids of processed events. A real receiver stores them in its database. */
const done = new Set();

// Use the raw body, because the signature of parsed JSON cannot be verified.
app.post('/webhooks', express.raw({ type: '*/*', limit: '1mb' }), async (request, response) => {
  try {
    const header = request.get('x-service-signature');
    const event = await verifyWebhook(request.body, header, process.env.WEBHOOK_SECRET);
    // Respond first and process later, because the service resends a delivery that takes too long.
    response.sendStatus(204);
    if (done.has(event.id)) return;
    done.add(event.id);
    // An endpoint may subscribe to either name. A callbackUrl gets the first.
    const isCompleted = event.type === 'enhancement.completed' || event.type === 'job.completed';
    if (isCompleted) console.log(`${event.data.job.id}: ${event.data.job.resultUrl}`);
    else console.log(event.type);
  } catch (error) {
    if (!(error instanceof WebhookSignatureError)) throw error;
    response.status(400).send(error.code);
  }
});

app.listen(Number(process.env.PORT ?? 9000), '127.0.0.1');
