import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import { eventBody } from './append-events.js';

/** What every sender of webhooks has to do at least: sign a body and post it, without a queue, a log or a check. */
export type SignAndPost = { readonly call: () => Promise<void>; readonly close: () => Promise<void> };

const key = Buffer.from('the secret of the benchmark of webhooks');

export function createSignAndPost(port: number, connections: number): SignAndPost {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 });
  let sent = 0;
  return {
    call: async () => {
      sent += 1;
      const id = `evt_${sent}`;
      const timestamp = String(Math.floor(performance.timeOrigin / 1_000));
      const body = eventBody({ eventId: id, orderId: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y', marketplaceId: 'mkt_default' });
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Holdfast-Webhooks/0.1.0',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      };
      const response = await pool.request({ method: 'POST', path: '/plain', headers, body });
      await response.body.dump();
      if (response.statusCode !== 204) throw new Error(`the receiver responded with ${response.statusCode}`);
    },
    close: () => pool.close(),
  };
}
