import { createHash } from 'node:crypto';
import type { RawBody } from '@holdfast/contracts/shapes';
import { isAppError } from '@holdfast/kernel/errors';
import type { ServiceRuntime } from '@holdfast/service-kit';
import type { Job } from '@holdfast/work';
import type { Settings } from './config.js';
import { providerEventLag, providerEvents } from './metrics.js';
import { createSignatureVerifier } from './http/webhook-signature.js';
import { readPaymentEvent } from './providers/payment-events.js';
import { eventStore } from './store/event-store.js';
import { applyPayinUpdate } from './use-cases/apply-payin-update.js';
import { applyPayoutUpdate } from './use-cases/apply-payout-update.js';
import type { EventContext, EventDeps } from './use-cases/event-ports.js';
import { handleDueEvents } from './use-cases/handle-provider-event.js';
import type { Deps } from './use-cases/ports.js';
import { receiveProviderEvent, type EventResponse } from './use-cases/receive-provider-event.js';

export type Webhooks = {
  /** Calls `countForAddress` unless the webhook has a valid signature. */
  readonly receive: (received: RawBody, ctx: EventContext, countForAddress: () => void) => Promise<EventResponse>;
  readonly jobs: readonly Job[];
};

type Runtime = Pick<
  ServiceRuntime<Pick<Settings, 'PAYMENT_WEBHOOK_SECRET'>>,
  'config' | 'database' | 'clock' | 'metrics' | 'newId' | 'log'
>;
type Apply = Pick<EventDeps, 'applyPayin' | 'applyPayout'>;

const retryEveryMs = 1_000;
const pruneEveryMs = 3_600_000;

/** The webhooks of the payment provider: verified, stored once, then applied. */
export function createWebhooks(runtime: Runtime, deps: Deps): Webhooks {
  const needsConfirmation = deps.settings.payinConfirmation !== undefined;
  return createEventReceiver(runtime, {
    applyPayin: (update, ctx) => applyPayinUpdate(deps, { ...update, needsConfirmation }, ctx),
    applyPayout: (update, ctx) => applyPayoutUpdate(deps, update, ctx),
  });
}

export function createEventReceiver({ config, database, clock, metrics, newId, log }: Runtime, apply: Apply): Webhooks {
  const counter = metrics.counter(providerEvents);
  const lag = metrics.histogram(providerEventLag);
  const count = (outcome: string): void => counter.inc({ outcome });
  const onLag = (seconds: number): void => lag.observe(seconds);
  const { verify } = createSignatureVerifier(config.PAYMENT_WEBHOOK_SECRET, log);
  const events = eventStore(database, clock);
  const eventDeps: EventDeps = { ...apply, events, readEvent: readPaymentEvent, onEvent: count, onLag, clock, newId, log };
  return {
    receive: async (received, ctx, countForAddress) => {
      const { messageId, isSigned } = verifyAndCount(() => verify(received), { count, countForAddress });
      if (!isSigned) countForAddress();
      return receiveProviderEvent(eventDeps, { body: received.bytes, fallbackEventId: fallbackIdOf(messageId, received) }, ctx);
    },
    jobs: [
      { name: 'provider-events', everyMs: retryEveryMs, run: (signal) => handleDueEvents(eventDeps, signal) },
      { name: 'prune-provider-events', everyMs: pruneEveryMs, run: (signal) => events.prune(signal) },
    ],
  };
}

type Counters = { readonly count: (outcome: string) => void; readonly countForAddress: () => void };

function verifyAndCount<T>(verify: () => T, { count, countForAddress }: Counters): T {
  try {
    return verify();
  } catch (error) {
    if (isAppError(error)) {
      count('refused');
      countForAddress();
    }
    throw error;
  }
}

const messageIdLengthMax = 255;

/** The same body without an id is the same event. */
function fallbackIdOf(messageId: string | undefined, { bytes }: RawBody): string {
  if (messageId !== undefined && messageId.length <= messageIdLengthMax) return messageId;
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
