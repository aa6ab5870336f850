import { z } from 'zod';
import type { paymentProviderEventTypes } from '@holdfast/contracts/http';
import { freeText } from '@holdfast/contracts/shapes';
import { isId } from '@holdfast/kernel/ids';
import type { EventContent, EventUpdate, PayinOutcome, PayoutOutcome } from '../domain/provider-updates.js';
import { reasonOf } from './payment-errors.js';
import { optionalText, providerAmount } from './payment-responses.js';

type EventType = (typeof paymentProviderEventTypes)[number];
type Meaning =
  { readonly about: 'payin'; readonly outcome: PayinOutcome } | { readonly about: 'payout'; readonly outcome: PayoutOutcome };

const meanings: Readonly<Record<EventType, Meaning>> = {
  'payin.created': { about: 'payin', outcome: 'open' },
  'payin.awaiting_user_confirmation': { about: 'payin', outcome: 'open' },
  'payin.processing': { about: 'payin', outcome: 'processing' },
  'payin.succeeded': { about: 'payin', outcome: 'succeeded' },
  'payin.confirmed': { about: 'payin', outcome: 'succeeded' },
  'payin.failed': { about: 'payin', outcome: 'failed' },
  'payin.canceled': { about: 'payin', outcome: 'canceled' },
  'payout.created': { about: 'payout', outcome: 'created' },
  'payout.committed': { about: 'payout', outcome: 'pending' },
  'payout.pending': { about: 'payout', outcome: 'pending' },
  'payout.pending_user_action': { about: 'payout', outcome: 'user-action' },
  'payout.completed': { about: 'payout', outcome: 'completed' },
  'payout.failed': { about: 'payout', outcome: 'failed' },
  'payout.canceled': { about: 'payout', outcome: 'canceled' },
};

const storedText = freeText(255).min(1);

/** Both forms: `eventType` with `eventId`, and `type` with the id in a header. */
const envelope = z.object({
  eventId: storedText.optional().catch(undefined),
  eventType: storedText.optional().catch(undefined),
  type: storedText.optional().catch(undefined),
  data: z.unknown(),
});

/** The provider has one balance in dollars, and names it in either way. */
const knownCurrencies = ['USD', 'USDC'] as const;

const eventData = z.object({
  id: z.string().min(1),
  code: optionalText,
  amount: providerAmount.nullish(),
  currency: z.string().toUpperCase().pipe(z.enum(knownCurrencies)).nullish(),
  reasonCode: optionalText,
  reasonDescription: optionalText,
  failureReason: optionalText,
  confirmationUri: z.string().optional().catch(undefined),
});

/** Reads the body of a webhook in either of the provider's forms. Any bytes are accepted; what is unknown has no update. */
export function readPaymentEvent(body: Uint8Array): EventContent {
  const parsed = envelope.safeParse(parseJson(body));
  if (!parsed.success) return { eventId: null, type: '', update: undefined };
  const { eventId = null, eventType, type, data } = parsed.data;
  const named = eventType ?? type ?? '';
  return { eventId, type: named, update: updateOf(named, data) };
}

function updateOf(type: string, data: unknown): EventUpdate | undefined {
  const meaning = Object.hasOwn(meanings, type) ? meanings[type as EventType] : undefined;
  const parsed = eventData.safeParse(data);
  if (meaning === undefined || !parsed.success) return undefined;
  const { id, amount, reasonCode, reasonDescription, failureReason, confirmationUri } = parsed.data;
  const code = codeOf(parsed.data);
  if (code === undefined) return undefined;
  const reason = reasonOf(reasonCode, reasonDescription ?? failureReason);
  const about = { providerId: id, code, amount: amount ?? undefined, reason };
  const page = confirmationUri === undefined ? {} : { confirmationUri };
  return meaning.about === 'payin'
    ? { about: 'payin', update: { ...about, ...page, outcome: meaning.outcome } }
    : { about: 'payout', update: { ...about, outcome: meaning.outcome } };
}

/**
 * An event may name the payment by our id, as its id or as its code; the provider may have its own code besides. Undefined if
 * it names two of our payments, so the right one is unknown.
 */
function codeOf({ id, code }: { readonly id: string; readonly code: string | null }): string | null | undefined {
  if (!isOwnId(id)) return code;
  return code === null || code === id || !isOwnId(code) ? id : undefined;
}

function isOwnId(text: string): boolean {
  return isId(text, 'topup') || isId(text, 'wd') || isId(text, 'rcc');
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'));
  } catch {
    return undefined;
  }
}
