import type { Context } from '@holdfast/kernel/context';
import { auditRecorded, type AuditFact } from '@holdfast/contracts/messages';
import { formatUnits } from '@holdfast/kernel/money';
import type { Account } from '../domain/accounts.js';
import type { BalanceChange } from '../domain/book-changes.js';
import type { OutgoingMessage, Posting } from './ports.js';

type AuditedRequest = Pick<Posting, 'type' | 'orderId' | 'reference' | 'description'>;

const actions: Partial<Record<Posting['type'], string>> = {
  CREDIT: 'BALANCE_CREDITED',
  DEBIT: 'BALANCE_DEBITED',
  RESERVE: 'BALANCE_RESERVED',
  RELEASE: 'BALANCE_RELEASED',
  DEDUCT: 'RESERVED_BALANCE_DEDUCTED',
};

/** A sync has credited a deposit, or found a top-up that was. */
export const syncAction = 'BALANCE_ADJUSTED';

/** The audit entries of an operation that a caller requested, one for each balance that it changes. */
export function auditOf(request: AuditedRequest, ctx: Context): NonNullable<Posting['audit']> {
  return ({ balanceChanges }) => balanceChanges.map((change) => auditMessage(request, change, ctx));
}

function auditMessage(
  { type, orderId, reference, description }: AuditedRequest,
  { units, before, after }: BalanceChange,
  { caller, at }: Context,
): OutgoingMessage {
  const payload: AuditFact = {
    action: actions[type] ?? syncAction,
    resourceType: 'Balance',
    resourceId: after.owner,
    ...(orderId === undefined ? {} : { relatedIds: [orderId] }),
    actorType: caller.type,
    actorId: caller.id,
    result: 'SUCCESS',
    reason: description ?? null,
    before: balanceOf(before),
    after: { ...balanceOf(after), amount: formatUnits(units), ...(reference === undefined ? {} : { reference }) },
    recordedAt: at,
  };
  const { owner: aggregateId, currency: aggregatePart, version: aggregateVersion } = after;
  return { declaration: auditRecorded, aggregateId, aggregatePart, aggregateVersion, payload };
}

/** A balance in an audit entry. */
export function balanceOf({
  currency,
  availableUnits,
  reservedUnits,
}: Pick<Account, 'currency' | 'availableUnits' | 'reservedUnits'>) {
  return { currency, available: formatUnits(availableUnits), reserved: formatUnits(reservedUnits) };
}
