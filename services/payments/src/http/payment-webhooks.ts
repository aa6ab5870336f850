import { createHash } from 'node:crypto';
import type { RawBody } from '@holdfast/contracts/shapes';
import { isAppError } from '@holdfast/kernel/errors';
import type { ServiceRuntime } from '@holdfast/service-kit';
import { createWebhookInbox, type EventContext } from '@holdfast/webhook-inbox';
import type { Job } from '@holdfast/work';
import type { Settings } from '../config.js';
import { handleProviderEvent, type EventDeps } from '../use-cases/handle-provider-event.js';
import { receiveProviderEvent, type EventResponse } from '../use-cases/receive-provider-event.js';
import { createSignatureVerifier } from './webhook-signature.js';

export type PaymentWebhooks = {
  /** Calls `countForAddress` unless the webhook has a valid signature. */
  readonly receive: (received: RawBody, ctx: EventContext, countForAddress: () => void) => Promise<EventResponse>;
  readonly jobs: readonly Job[];
};

type Runtime = Pick<
  ServiceRuntime<Pick<Settings, 'PAYMENT_WEBHOOK_SECRET'>>,
  'config' | 'database' | 'clock' | 'metrics' | 'newId' | 'log' | 'wake'
>;

/** An event may name a payment only by the provider's id, and arrive before we know that id. */
const unconfirmedAttemptsMax = 4;

/** The webhooks of the payment provider: verified, stored once, then applied. */
export function createPaymentWebhooks(runtime: Runtime, deps: EventDeps): PaymentWebhooks {
  const { verify } = createSignatureVerifier(runtime.config.PAYMENT_WEBHOOK_SECRET, runtime.log);
  const handle = handleProviderEvent(deps);
  const inbox = createWebhookInbox({ ...runtime, handle, unconfirmedAttemptsMax });
  return {
    receive: async (received, ctx, countForAddress) => {
      const { messageId, isSigned } = onRefusal(
        () => verify(received),
        () => {
          inbox.countRefused();
          countForAddress();
        },
      );
      if (!isSigned) countForAddress();
      const event = { body: received.bytes, isSigned, fallbackEventId: fallbackIdOf(messageId, received) };
      return receiveProviderEvent({ ...deps, inbox }, event, ctx);
    },
    jobs: inbox.jobs,
  };
}

function onRefusal<T>(verify: () => T, count: () => void): T {
  try {
    return verify();
  } catch (error) {
    if (isAppError(error)) count();
    throw error;
  }
}

const messageIdLengthMax = 255;

/** The same body without an id is the same event. */
function fallbackIdOf(messageId: string | undefined, { bytes }: RawBody): string {
  if (messageId !== undefined && messageId.length <= messageIdLengthMax) return messageId;
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
