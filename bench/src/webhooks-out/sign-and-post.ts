import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import { nowMark } from '../stream/mark.js';

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
      const body = eventBody(id);
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

/** As large as the event that the other side sends. */
function eventBody(eventId: string): string {
  const orderId = 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y';
  return JSON.stringify({
    eventId,
    eventType: 'order.closed',
    occurredAt: '2026-01-31T12:00:00.123456Z',
    aggregateId: orderId,
    aggregateType: 'Order',
    payload: { orderId, finalStatus: 'RELEASED', closedAt: nowMark() },
    metadata: {
      correlationId: '7f0c1a52-3f5e-4c1b-9a53-0c2f6f0f7d11',
      causationId: null,
      marketplaceId: 'mkt_default',
      producedAt: '2026-01-31T12:00:00.123456Z',
      aggregateVersion: 1,
    },
  });
}
