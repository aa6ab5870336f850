import {
  balanceCaseRefused,
  balanceCaseCleared,
  type caseResolutionRequested,
  type Envelope,
  type Payload,
} from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import { money, parseUnits } from '@holdfast/kernel/money';
import { externalAccount, suspenseAccount } from '../domain/accounts.js';
import type { Credit, Debit, Move, Refuse } from '../domain/instructions.js';
import type { Deps } from './ports.js';
import { postMessage } from './post-request.js';
import { caseReply, refusalOf } from './replies.js';

type Resolution = Payload<typeof caseResolutionRequested>;
/** What the settlement of a case publishes. */
type Settled = 'balance.credited' | 'balance.debited' | 'balance.case_cleared' | 'balance.case_refused';

/**
 * Books the money of a reconciliation case from the suspense account to where it belongs, once per case, or replies with the
 * refusal. A refused case can be resolved in another way. See ADR 0052.
 */
export async function handleCaseResolutionRequested(deps: Deps, message: Envelope<Resolution>): Promise<Published<Settled>> {
  const { caseId, amount, currency } = message.payload;
  const ofCase = { caseId, amount, currency };
  const settle = (instruction: Credit | Debit | Move | Refuse) =>
    postMessage(deps, message, {
      type: 'RECONCILIATION',
      cause: `case-settled:${caseId}`,
      reference: caseId,
      description: 'Correction: reconciliation case resolved',
      instruction,
      reply: {
        done: () => caseReply(balanceCaseCleared, ofCase),
        refused: (_, refusal) => caseReply(balanceCaseRefused, { ...ofCase, ...refusalOf(refusal) }),
      },
    });
  try {
    return await settle(instructionOf(message.payload));
  } catch (refusal) {
    if (!isAppError(refusal, 'USER_NOT_FOUND')) throw refusal;
    return settle({ does: 'refuse', account: suspenseAccount(currency), refusal });
  }
}

/** A negative amount has left without being booked, so `credit` debits the user. An amount of zero moves nothing. */
function instructionOf(resolution: Resolution): Credit | Debit | Move {
  const { caseId, action, amount, currency, userId } = resolution;
  const [units, suspense, name] = [parseUnits(amount), suspenseAccount(currency), 'reconciliation'];
  if (action !== 'credit' || units === 0n) return moveOf(resolution);
  if (userId === null) throw new AppError('USER_NOT_FOUND', { caseId });
  return units < 0n
    ? { does: 'debit', userId, amount: money(-units, currency), to: suspense, destination: name, destinationId: caseId }
    : { does: 'credit', userId, amount: money(units, currency), from: suspense, source: name, sourceId: caseId };
}

/** Money that was returned has left through the provider that it came from. */
function moveOf({ action, amount, currency, origin }: Resolution): Move {
  const returnedTo = origin === 'deposits' ? 'ledger_payouts' : 'payouts';
  return {
    does: 'move',
    from: suspenseAccount(currency),
    to: externalAccount(action === 'return' ? returnedTo : 'adjustments', currency),
    amount: money(parseUnits(amount), currency),
  };
}
