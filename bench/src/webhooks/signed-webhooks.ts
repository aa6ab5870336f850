import { createHmac } from 'node:crypto';
import type { RawBody } from '@holdfast/contracts/shapes';
import type { Clock } from '@holdfast/kernel/context';

const key = Buffer.from('the secret of the benchmark of webhooks');
export const webhookSecret = `whsec_${key.toString('base64')}`;

export type WebhookSource = {
  /** Every tenth one repeats an earlier one. */
  readonly next: () => RawBody;
  /** How many different events were made. */
  readonly distinct: () => number;
};

const duplicateEvery = 10;
/** A duplicate repeats one of the last webhooks, as a provider does that got no response in time. */
const distance = 50;

export function createWebhooks(clock: Clock, name: string): WebhookSource {
  let calls = 0;
  const made: RawBody[] = [];
  return {
    next: () => {
      calls += 1;
      const repeated = calls % duplicateEvery === 0 ? made[Math.max(0, made.length - distance)] : undefined;
      if (repeated !== undefined) return repeated;
      const webhook = signedWebhook(clock, `msg_${name}_${made.length}`);
      made.push(webhook);
      return webhook;
    },
    distinct: () => made.length,
  };
}

/** An event of the size that the provider sends. */
function signedWebhook(clock: Clock, id: string): RawBody {
  const data = {
    id: `payin-${id}`,
    code: 'topup_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
    status: 'CONFIRMED',
    amount: 25.5,
    netAmount: 25.5,
    description: 'Top-up',
    items: [{ description: 'Top-up', amount: 25.5, quantity: 1 }],
    createdAt: '2026-01-31T12:00:00.000Z',
    updatedAt: '2026-01-31T12:05:00.000Z',
    confirmationUri: 'https://provider.example/checkout/0193b7f2-7c1e-4d6f-9b1a-2f6f1f6f1f6f',
    cancelUri: 'https://shop.example/api/v1/topups/topup_01JB2M3N4P5Q6R7S8T9V0W1X2Y/callback?status=cancel',
  };
  const body = JSON.stringify({ type: 'payin.confirmed', data });
  const timestamp = String(Math.floor(clock.epochMs() / 1_000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  return { bytes: Buffer.from(body), headers };
}
