import { z } from 'zod';
import type { Instant } from '@holdfast/kernel/context';
import { errorCodes } from '@holdfast/kernel/errors';
import { idFromParts, type MessageId } from '@holdfast/kernel/ids';
import { amountOut, currency, id, opaqueId } from '../shapes/index.js';
import { message } from './message.js';

const balanceMessage = { version: 1, aggregateType: 'Balance', publisher: 'ledger-balance' } as const;
const publicMessage = { ...balanceMessage, visibility: 'public' } as const;
const internalMessage = { ...balanceMessage, visibility: 'internal' } as const;

const changed = { userId: id('usr'), amount: amountOut, currency };
const low = amountOut.meta({ example: '67.50' });
const high = amountOut.meta({ example: '80.00' });
const availableRose = { previousAvailableBalance: low, newAvailableBalance: high };
const availableFell = { previousAvailableBalance: high, newAvailableBalance: low };
const reservedRose = { previousReservedBalance: low, newReservedBalance: high };
const reservedFell = { previousReservedBalance: high, newReservedBalance: low };
const counterpart = z.string().meta({ description: 'Type of the source or destination', example: 'manual' });
const counterpartId = z.string().meta({ description: 'Id of the source or destination', example: 'invoice-1042' });
const reason = z.string().meta({ example: 'escrow_funded' });
const milestoneRef = z.string().meta({ description: 'Present if one milestone was paid out', example: 'draft' });
const reservedFor = {
  orderId: z.string().nullable(),
  withdrawalId: id('wd').optional().meta({ description: 'Present if the amount belongs to a withdrawal' }),
};

export const balanceCredited = message({
  ...publicMessage,
  type: 'balance.credited',
  summary: 'An amount was added to the available balance.',
  payload: z.strictObject({ ...changed, source: counterpart, sourceId: counterpartId.optional(), ...availableRose }),
});

export const balanceDebited = message({
  ...publicMessage,
  type: 'balance.debited',
  summary: 'An amount was removed from the available balance.',
  payload: z.strictObject({ ...changed, destination: counterpart, destinationId: counterpartId.optional(), ...availableFell }),
});

export const balanceReserved = message({
  ...publicMessage,
  type: 'balance.reserved',
  summary: 'An amount moved from the available to the reserved balance.',
  payload: z.strictObject({ ...changed, ...reservedFor, ...reservedRose, ...availableFell }),
});

export const balanceReleased = message({
  ...publicMessage,
  type: 'balance.released',
  summary: 'A reservation ended: the amount is available again or was deducted.',
  payload: z.strictObject({ ...changed, ...reservedFor, reason, ...reservedFell, ...availableRose }),
});

const ofOrder = { orderId: opaqueId('ord'), ...changed };
const refusal = { code: z.enum(errorCodes), details: z.record(z.string(), z.unknown()) };
const balancesNow = { availableBalance: amountOut, reservedBalance: amountOut };

export const balanceReservationMade = message({
  ...internalMessage,
  type: 'balance.reservation_made',
  summary: "The buyer's funds are reserved for the order.",
  payload: z.strictObject({ ...ofOrder, ...balancesNow }),
});

export const balanceReservationRefused = message({
  ...internalMessage,
  type: 'balance.reservation_refused',
  summary: 'The funds could not be reserved; nothing changed.',
  payload: z.strictObject({ ...ofOrder, ...refusal }),
});

export const balanceReservationFreed = message({
  ...internalMessage,
  type: 'balance.reservation_freed',
  summary: 'The reservations of the order are freed; the amount is 0.00 if there were none.',
  payload: z.strictObject({ ...ofOrder, ...balancesNow }),
});

export const balanceReservedDeducted = message({
  ...internalMessage,
  type: 'balance.reserved_deducted',
  summary: "The order's funds moved from the buyer's reserved balance to the escrow account.",
  payload: z.strictObject({ ...ofOrder, ...balancesNow }),
});

export const balanceDeductionRefused = message({
  ...internalMessage,
  type: 'balance.deduction_refused',
  summary: 'Less is reserved than the order needs; nothing changed.',
  payload: z.strictObject({ ...ofOrder, ...refusal }),
});

export const balanceDeductionRestored = message({
  ...internalMessage,
  type: 'balance.deduction_restored',
  summary: "The order's funds are back in the buyer's reserved balance.",
  payload: z.strictObject({ ...ofOrder, ...balancesNow }),
});

export const balanceEscrowSettled = message({
  ...internalMessage,
  type: 'balance.escrow_settled',
  summary: "The order's escrow account has paid out the contract or one milestone; includes the new balances.",
  payload: z.strictObject({
    orderId: opaqueId('ord'),
    milestoneRef: milestoneRef.optional(),
    currency,
    fee: amountOut,
    payouts: z.array(z.strictObject({ userId: id('usr'), amount: amountOut, newAvailableBalance: amountOut })),
  }),
});

export const balanceSettlementContradicted = message({
  ...internalMessage,
  type: 'balance.settlement_contradicted',
  summary:
    "The order's escrow account does not hold what the contract has paid, or what has to go back to the buyer. An operator must look.",
  payload: z.strictObject({
    orderId: opaqueId('ord'),
    milestoneRef: milestoneRef.optional(),
    currency,
    reason: z.string().meta({ example: 'the escrow account holds 0.00 and has to pay 100.00' }),
  }),
});

export const balanceTopupCredited = message({
  ...internalMessage,
  type: 'balance.topup_credited',
  summary: "The top-up's money is available to the user.",
  payload: z.strictObject({ topupId: id('topup'), ...changed, newAvailableBalance: amountOut }),
});

export const balanceTopupRefused = message({
  ...internalMessage,
  type: 'balance.topup_refused',
  summary: 'The top-up cannot be credited, because the balance would exceed its limit; nothing changed.',
  payload: z.strictObject({ topupId: id('topup'), ...changed, ...refusal }),
});

const ofWithdrawal = { withdrawalId: id('wd'), ...changed };

export const balanceWithdrawalReserved = message({
  ...internalMessage,
  type: 'balance.withdrawal_reserved',
  summary: "The withdrawal's amount is reserved.",
  payload: z.strictObject({ ...ofWithdrawal, ...balancesNow }),
});

export const balanceWithdrawalRefused = message({
  ...internalMessage,
  type: 'balance.withdrawal_refused',
  summary: "The withdrawal's amount could not be reserved; nothing changed.",
  payload: z.strictObject({ ...ofWithdrawal, ...refusal }),
});

export const balanceWithdrawalDeducted = message({
  ...internalMessage,
  type: 'balance.withdrawal_deducted',
  summary: "The withdrawal's amount was deducted.",
  payload: z.strictObject({ ...ofWithdrawal, ...balancesNow }),
});

export const balanceWithdrawalFreed = message({
  ...internalMessage,
  type: 'balance.withdrawal_freed',
  summary: "The withdrawal's amount is available again.",
  payload: z.strictObject({ ...ofWithdrawal, ...balancesNow }),
});

const caseMessage = { ...internalMessage, aggregateType: 'ReconciliationCase' } as const;
const ofCase = { caseId: id('rcc'), amount: amountOut, currency };

export const balanceCaseBooked = message({
  ...caseMessage,
  type: 'balance.case_booked',
  summary: 'The money of a reconciliation case is in the suspense account.',
  payload: z.strictObject(ofCase),
});

export const balanceCaseCleared = message({
  ...caseMessage,
  type: 'balance.case_cleared',
  summary: 'The money of a reconciliation case left the suspense account.',
  payload: z.strictObject(ofCase),
});

export const balanceCaseRefused = message({
  ...caseMessage,
  type: 'balance.case_refused',
  summary: 'The money of a reconciliation case cannot be booked as requested; nothing changed.',
  payload: z.strictObject({ ...ofCase, ...refusal }),
});

export const balanceDifferenceFound = message({
  ...internalMessage,
  acknowledged: true,
  type: 'balance.difference_found',
  summary: "A user's wallet holds another amount on the ledger network than the books say, and nothing explains it.",
  payload: z.strictObject({
    userId: id('usr'),
    amount: amountOut.meta({ description: 'What the wallet holds, minus what the books say' }),
    currency,
    address: z.string().meta({ example: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN' }),
  }),
});

/** A difference has no time of its own. */
const differenceAt: Instant = '1970-01-01T00:00:00.000000Z';

/**
 * The id follows from what the wallet holds and what the books say, so that a difference that stays the same is one message, however
 * often it is found.
 */
export function differenceMessageId(found: {
  readonly userId: string;
  readonly currency: string;
  readonly onNetwork: string;
  readonly inJournal: string;
}): MessageId {
  return idFromParts('evt', differenceAt, ['difference', found.userId, found.currency, found.onNetwork, found.inJournal]);
}

/** The id of the audit entry about a credit that a sync has found, so that it is one entry, however many syncs find it. */
export function adjustmentMessageId({ cause, at }: { readonly cause: string; readonly at: Instant }): MessageId {
  return idFromParts('evt', at, ['adjustment', cause]);
}

export const balanceMessages = [
  balanceCredited,
  balanceDebited,
  balanceReserved,
  balanceReleased,
  balanceReservationMade,
  balanceReservationRefused,
  balanceReservationFreed,
  balanceReservedDeducted,
  balanceDeductionRefused,
  balanceDeductionRestored,
  balanceEscrowSettled,
  balanceSettlementContradicted,
  balanceTopupCredited,
  balanceTopupRefused,
  balanceWithdrawalReserved,
  balanceWithdrawalRefused,
  balanceWithdrawalDeducted,
  balanceWithdrawalFreed,
  balanceCaseBooked,
  balanceCaseCleared,
  balanceCaseRefused,
  balanceDifferenceFound,
] as const;
