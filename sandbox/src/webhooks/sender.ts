import type { Clock, Log } from '@holdfast/kernel/context';
import type { WebhookTarget } from '../options.js';
import type { Store } from '../store/store.js';
import { createPoster } from './post.js';

/** Delay before each retry; after the last one the delivery is abandoned. */
const retryDelaysMs = {
  escrow: [1_000, 5_000, 30_000, 120_000, 600_000],
  payment: [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000],
} as const;

/** The others wait for one of these connections. */
const connectionsMax = 16;

export type WebhookSender = { readonly wake: (id: string) => void; readonly stop: () => Promise<void> };
export type SenderDeps = { readonly store: Store; readonly clock: Clock; readonly log: Log; readonly target: WebhookTarget };

/** Delivers every webhook at least once: it stays in the store until it is delivered or abandoned. */
export function startWebhookSender({ store, clock, log, target }: SenderDeps): WebhookSender {
  const poster = createPoster(target, clock, connectionsMax);
  const timers = new Set<NodeJS.Timeout>();
  let isStopped = false;

  const deliver = async (id: string): Promise<void> => {
    // A webhook must not be sent before its change survives a crash.
    await store.durable();
    const webhook = store.find('webhooks', id);
    if (webhook === undefined) return;
    const isDelivered = await poster.post(webhook);
    if (isStopped) return;
    const delayMs = isDelivered ? undefined : retryDelaysMs[webhook.receiver][webhook.attempts];
    const transaction = store.begin();
    if (delayMs === undefined) transaction.remove('webhooks', id);
    else transaction.put('webhooks', id, { ...webhook, attempts: webhook.attempts + 1 });
    // After a crash before it is durable the webhook is sent once more.
    transaction.commitLater();
    if (delayMs !== undefined) later(id, delayMs);
    else if (!isDelivered) log.warn({ webhookId: id }, 'webhook delivery abandoned');
  };

  const wake = (id: string): void => {
    deliver(id).catch((error: unknown) => log.error({ webhookId: id, error }, 'webhook delivery failed'));
  };

  const later = (id: string, delayMs: number): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      wake(id);
    }, delayMs);
    timers.add(timer);
  };

  for (const { id } of store.all('webhooks')) wake(id);

  return {
    wake,
    stop: async () => {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      await poster.stop();
    },
  };
}
