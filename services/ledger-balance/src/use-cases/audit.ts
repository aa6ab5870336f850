import type { Context } from '@holdfast/kernel/context';
import { auditRecorded, type AuditFact } from '@holdfast/contracts/messages';
import { formatUnits } from '@holdfast/kernel/money';
import type { Account } from '../domain/accounts.js';
import type { BalanceChange } from '../domain/book-changes.js';
import type { Amounts, CausedCredit, OutgoingMessage, Posting } from './ports.js';

type AuditedRequest = Pick<Posting, 'type' | 'orderId' | 'reference' | 'description'>;

const actions: Partial<Record<Posting['type'], string>> = {
  CREDIT: 'BALANCE_CREDITED',
  DEBIT: 'BALANCE_DEBITED',
  RESERVE: 'BALANCE_RESERVED',
  RELEASE: 'BALANCE_RELEASED',
  DEDUCT: 'RESERVED_BALANCE_DEDUCTED',
};

/** A sync has credited a deposit, or found a top-up that was. */
const syncAction = 'BALANCE_ADJUSTED';

/** The audit entries of an operation that a caller requested, one for each balance that it changes. */
export function auditOf(request: AuditedRequest, ctx: Context): NonNullable<Posting['audit']> {
  return ({ balanceChanges }) => balanceChanges.map((change) => auditMessage(request, change, ctx));
}

function auditMessage(request: AuditedRequest, { units, before, after }: BalanceChange, ctx: Context): OutgoingMessage {
  const { owner: aggregateId, currency: aggregatePart, version: aggregateVersion } = after;
  const payload = factOf(request, { userId: aggregateId, units, before, after }, ctx);
  return { declaration: auditRecorded, aggregateId, aggregatePart, aggregateVersion, payload };
}

/** The audit entry of a sync about a credit that another posting has booked. */
export function adjustmentFact(credit: CausedCredit, { availableUnits, reservedUnits }: Amounts, ctx: Context): AuditFact {
  const { userId, amount } = credit.instruction;
  const { units, currency } = amount;
  const before = { currency, availableUnits: availableUnits - units, reservedUnits };
  return factOf(credit, { userId, units, before, after: { currency, availableUnits, reservedUnits } }, ctx);
}

type Balances = Pick<Account, 'currency' | 'availableUnits' | 'reservedUnits'>;
type Change = { readonly userId: string; readonly units: bigint; readonly before: Balances; readonly after: Balances };

function factOf(
  { type, orderId, reference, description }: AuditedRequest,
  { userId, units, before, after }: Change,
  { caller, at }: Context,
): AuditFact {
  return {
    action: actions[type] ?? syncAction,
    resourceType: 'Balance',
    resourceId: userId,
    ...(orderId === undefined ? {} : { relatedIds: [orderId] }),
    actorType: caller.type,
    actorId: caller.id,
    result: 'SUCCESS',
    reason: description ?? null,
    before: balanceOf(before),
    after: { ...balanceOf(after), amount: formatUnits(units), ...(reference === undefined ? {} : { reference }) },
    recordedAt: at,
  };
}

function balanceOf({ currency, availableUnits, reservedUnits }: Balances) {
  return { currency, available: formatUnits(availableUnits), reserved: formatUnits(reservedUnits) };
}
