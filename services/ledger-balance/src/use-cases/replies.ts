import type { MessageDeclaration } from '@holdfast/contracts/messages';
import type { AppError } from '@holdfast/kernel/errors';
import { formatUnits } from '@holdfast/kernel/money';
import type { Account } from '../domain/accounts.js';
import type { OutgoingMessage } from './ports.js';

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
