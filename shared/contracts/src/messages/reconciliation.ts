import { z } from 'zod';
import { amountOut, currency, id } from '../shapes/index.js';
import { message } from './message.js';

const caseMessage = {
  version: 1,
  visibility: 'internal',
  aggregateType: 'ReconciliationCase',
  publisher: 'payments',
} as const;

export const caseKinds = [
  'late_money',
  'amount_mismatch',
  'unexplained_difference',
  'unknown_deposit',
  'unconfirmed_deposit',
  'unconfirmed_payment',
  'unknown_outflow',
  'quarantined_record',
] as const;
export type CaseKind = (typeof caseKinds)[number];

export const caseActions = ['credit', 'return', 'write_off'] as const;
export type CaseAction = (typeof caseActions)[number];

/** The external account of the ledger that the money of a case came from or went to. */
export const caseOrigins = ['payins', 'payouts', 'deposits', 'adjustments'] as const;
export type CaseOrigin = (typeof caseOrigins)[number];

const ofCase = {
  caseId: id('rcc'),
  amount: amountOut.meta({ description: 'Negative if more left than was booked' }),
  currency,
  origin: z.enum(caseOrigins),
};

export const caseBookingRequested = message({
  ...caseMessage,
  type: 'reconciliation.case_booking_requested',
  summary: 'Money was found that belongs to no operation: book it to the suspense account.',
  payload: z.strictObject({ ...ofCase, kind: z.enum(caseKinds) }),
});

export const caseResolutionRequested = message({
  ...caseMessage,
  type: 'reconciliation.case_resolution_requested',
  summary: 'Book the money of a case from the suspense account to where it belongs.',
  payload: z.strictObject({
    ...ofCase,
    action: z.enum(caseActions),
    userId: id('usr').nullable().meta({ description: 'The user who is credited; null unless the action is `credit`' }),
  }),
});

export const caseResolved = message({
  ...caseMessage,
  acknowledged: true,
  type: 'reconciliation.case_resolved',
  summary: 'A case is resolved; what was kept because of it may be used again.',
  payload: z.strictObject({
    caseId: id('rcc'),
    kind: z.enum(caseKinds),
    source: z.string().meta({ example: 'ledger_network' }),
    sourceId: z.string().meta({ example: '123456789012345' }),
  }),
});

/** `capital`: what the owners had put in when the platform began. `fees`: what the provider has charged. */
export const providerAccountChanges = ['capital', 'fees'] as const;

export const providerAccountChanged = message({
  ...caseMessage,
  acknowledged: true,
  type: 'reconciliation.provider_account_changed',
  summary:
    "The balance of the platform's account at the payment provider has parts that no payment of a user explains: book them.",
  payload: z.strictObject({ change: z.enum(providerAccountChanges), amount: amountOut, currency }),
});

export const caseMessages = [caseBookingRequested, caseResolutionRequested, caseResolved, providerAccountChanged] as const;
