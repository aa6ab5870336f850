import { balanceSettlementContradicted, type MessageDeclaration, type Payload } from '@holdfast/contracts/messages';
import type { AppError } from '@holdfast/kernel/errors';
import type { CaseId } from '@holdfast/kernel/ids';
import { formatUnits, type Currency } from '@holdfast/kernel/money';
import type { Account } from '../domain/accounts.js';
import type { OutgoingMessage } from './ports.js';

/** A reply to a saga message. Its aggregate is the balance of the user. */
export function balanceReply<M extends MessageDeclaration>(
  declaration: M,
  user: Account,
  payload: Payload<M>,
): OutgoingMessage<M['type']> {
  return { declaration, aggregateId: user.owner, aggregatePart: user.currency, aggregateVersion: user.version, payload };
}

type OfCase = { readonly caseId: CaseId; readonly currency: Currency };

/** A reply about a reconciliation case, which has no version: it is booked once and settled once. */
export function caseReply<M extends MessageDeclaration>(
  declaration: M,
  payload: OfCase & Payload<M>,
): OutgoingMessage<M['type']> {
  const { caseId: aggregateId, currency: aggregatePart } = payload;
  return { declaration, aggregateId, aggregatePart, aggregateVersion: 0, payload };
}

export function balancesNow(user: Account): { readonly availableBalance: string; readonly reservedBalance: string } {
  return { availableBalance: formatUnits(user.availableUnits), reservedBalance: formatUnits(user.reservedUnits) };
}

export function refusalOf(refusal: AppError): Pick<AppError, 'code' | 'details'> {
  return { code: refusal.code, details: refusal.details };
}

type OfOrder = { readonly orderId: string; readonly milestoneRef?: string; readonly currency: Currency };

/** The reply to a message that moves money out of an escrow account, when no retry helps. */
export function contradiction(ofOrder: OfOrder) {
  return (user: Account, refusal: AppError): OutgoingMessage<'balance.settlement_contradicted'> | undefined => {
    const reason = contradictionOf(refusal);
    return reason === undefined ? undefined : balanceReply(balanceSettlementContradicted, user, { ...ofOrder, reason });
  };
}

function contradictionOf({ code, details }: AppError): string | undefined {
  if (code === 'LIMIT_EXCEEDED')
    return `the balance of a payee would exceed ${String(details['balanceMax'])}, the most that can be stored`;
  if (code !== 'INVALID_STATE') return undefined;
  return `the escrow account holds ${String(details['held'])} and has to pay ${String(details['requested'])}`;
}
