import type { MessageDeclaration } from '@holdfast/contracts/messages';
import type { AppError } from '@holdfast/kernel/errors';
import { formatUnits } from '@holdfast/kernel/money';
import type { Account } from '../domain/accounts.js';
import type { OutgoingMessage } from './ports.js';

/** An answer to a saga message, told of the user whose balance it is about. */
export function balanceReply(
  declaration: MessageDeclaration,
  user: Account,
  payload: Readonly<Record<string, unknown>>,
): OutgoingMessage {
  return { declaration, aggregateId: user.owner, aggregatePart: user.currency, aggregateVersion: user.version, payload };
}

export function balancesNow(user: Account): { readonly availableBalance: string; readonly reservedBalance: string } {
  return { availableBalance: formatUnits(user.availableUnits), reservedBalance: formatUnits(user.reservedUnits) };
}

export function refusalOf(refusal: AppError): { readonly code: string; readonly details: AppError['details'] } {
  return { code: refusal.code, details: refusal.details };
}
