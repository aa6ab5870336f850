import { balanceSettlementContradicted, type MessageDeclaration } from '@holdfast/contracts/messages';
import type { AppError } from '@holdfast/kernel/errors';
import { formatUnits, type Currency } from '@holdfast/kernel/money';
import type { Account } from '../domain/accounts.js';
import type { OutgoingMessage, Reply } from './ports.js';

/** A reply to a saga message. Its aggregate is the balance of the user. */
export function balanceReply(
  declaration: MessageDeclaration,
  user: Account,
  payload: Readonly<Record<string, unknown>>,
): OutgoingMessage {
  return { declaration, aggregateId: user.owner, aggregatePart: user.currency, aggregateVersion: user.version, payload };
}

type OfCase = { readonly caseId: string; readonly amount: string; readonly currency: string };

/** A reply about a reconciliation case, which has no version: it is booked once and settled once. */
export function caseReply(declaration: MessageDeclaration, ofCase: OfCase, refusal: object = {}): OutgoingMessage {
  const { caseId: aggregateId, currency: aggregatePart } = ofCase;
  return { declaration, aggregateId, aggregatePart, aggregateVersion: 0, payload: { ...ofCase, ...refusal } };
}

export function balancesNow(user: Account): { readonly availableBalance: string; readonly reservedBalance: string } {
  return { availableBalance: formatUnits(user.availableUnits), reservedBalance: formatUnits(user.reservedUnits) };
}

export function refusalOf(refusal: AppError): { readonly code: string; readonly details: AppError['details'] } {
  return { code: refusal.code, details: refusal.details };
}

type OfOrder = { readonly orderId: string; readonly currency: Currency };

/** The reply to a message that moves money out of an escrow account, when no retry helps. */
export function contradiction(ofOrder: OfOrder): NonNullable<Reply['refused']> {
  return (user, refusal) => {
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
