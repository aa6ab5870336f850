import { z } from 'zod';
import { custodyAssets, custodyPlaces } from '../messages/index.js';
import { amountOut, currency, id, noBody, noParams, noQuery, textMax } from '../shapes/index.js';
import { route } from './route.js';
import { runOutcomes, transactionHash } from './saga-runs.js';

/** Internal routes with which payments compares the journal with the ledger network. */
const custodyRoute = { isInternal: true, auth: 'any', idempotent: false, family: 'plain', query: noQuery, errors: [] } as const;

export const findWalletByAddress = route({
  ...custodyRoute,
  service: 'escrow-adapter',
  name: 'findWalletByAddress',
  method: 'get',
  path: '/internal/addresses/{address}',
  summary: 'Check whether an address on the ledger network belongs to the platform',
  params: z.strictObject({ address: z.string().max(textMax.reference) }),
  malformedParams: 'NOT_FOUND',
  body: noBody,
  success: {
    status: 200,
    data: z.object({
      isOwn: z.boolean(),
      payoutMax: amountOut
        .nullish()
        .meta({ description: 'What the treasury pays within an hour at most, of each asset; null without a cap' }),
    }),
  },
});

export const cancelLedgerPayout = route({
  ...custodyRoute,
  service: 'escrow-adapter',
  name: 'cancelLedgerPayout',
  method: 'post',
  path: '/internal/ledger-payouts/{id}/cancel',
  summary: 'Request that the payout of a withdrawal is not sent any more',
  params: z.strictObject({ id: id('wd') }),
  malformedParams: 'NOT_FOUND',
  body: noBody,
  success: {
    status: 200,
    data: z.object({
      isRequested: z
        .boolean()
        .meta({ description: 'False where no payout of the withdrawal is open. Its reply says whether it was paid.' }),
    }),
  },
});

/** The errors have a `reason` in their details. */
export const resolveLedgerPayout = route({
  ...custodyRoute,
  service: 'escrow-adapter',
  name: 'resolveLedgerPayout',
  method: 'post',
  path: '/internal/ledger-payouts/{id}/resolve',
  summary: 'Prove how an open payout has ended, and end it',
  params: z.strictObject({ id: id('wd') }),
  malformedParams: 'NOT_FOUND',
  body: z.strictObject({
    outcome: z.enum(runOutcomes),
    /** Required for a success. */
    transactionHash: transactionHash.exactOptional(),
    /** Only the proof is wanted; nothing is ended. */
    isCheck: z.boolean(),
  }),
  success: { status: 200, data: z.object({ isProved: z.boolean() }) },
  errors: ['INVALID_STATE'],
  waitsFor: 'provider',
});

/** Maximum number of accounts in one request. */
export const custodyAccountsMax = 100;

const custodyAccount = z.strictObject({ place: z.enum(custodyPlaces), ownerId: z.string().nullable() });
const custodyBalances = z.array(custodyAccount.extend({ asset: z.enum(custodyAssets), amount: amountOut }));

export const getCustodyBalances = route({
  ...custodyRoute,
  service: 'escrow-adapter',
  name: 'getCustodyBalances',
  method: 'post',
  path: '/internal/custody/balances',
  summary: 'Get what accounts and contracts of the platform hold on the ledger network, read from one ledger',
  params: noParams,
  malformedParams: 'NOT_FOUND',
  body: z.strictObject({ accounts: z.array(custodyAccount).min(1).max(custodyAccountsMax) }),
  success: {
    status: 200,
    data: z.object({
      ledger: z.int().meta({ description: 'The ledger that was read. All transactions up to it were published.' }),
      balances: custodyBalances,
      moving: z.array(custodyAccount).meta({
        description: 'Of the requested accounts, those with a transaction up to this ledger that the journal may not have yet',
      }),
    }),
  },
  waitsFor: 'provider',
});

export const getDepositTotals = route({
  ...custodyRoute,
  service: 'escrow-adapter',
  name: 'getDepositTotals',
  method: 'get',
  path: '/internal/custody/deposits',
  summary: 'Get the sums of all deposits that were published for crediting, by currency',
  params: noParams,
  malformedParams: 'NOT_FOUND',
  body: noBody,
  success: {
    status: 200,
    data: z.object({
      totals: z.array(
        z.object({
          currency,
          amount: amountOut,
          inFlight: amountOut.meta({ description: 'Of this amount, what the ledger has not acknowledged' }),
          waiting: amountOut.meta({ description: 'Besides, what is too small to be credited alone' }),
        }),
      ),
    }),
  },
});

export const getJournalTotals = route({
  ...custodyRoute,
  service: 'ledger-balance',
  name: 'getJournalTotals',
  method: 'get',
  path: '/internal/journal/totals',
  summary: 'Get the totals of the external and platform accounts, per currency; positive for money that went there',
  params: noParams,
  malformedParams: 'NOT_FOUND',
  body: noBody,
  success: {
    status: 200,
    data: z.object({ totals: z.array(z.object({ owner: z.string(), currency, amount: amountOut })) }),
  },
});

export const getBookTerms = route({
  ...custodyRoute,
  service: 'ledger-balance',
  name: 'getBookTerms',
  method: 'get',
  path: '/internal/journal/terms',
  summary: 'Get the journal totals from which solvency is computed, in one snapshot',
  params: noParams,
  malformedParams: 'NOT_FOUND',
  body: noBody,
  success: {
    status: 200,
    data: z.object({
      terms: z.array(
        z.object({
          term: z.string().meta({ description: '`available`, `reserved`, `escrow`, or the kind and owner of shared accounts' }),
          currency,
          amount: amountOut,
        }),
      ),
    }),
  },
});

export const listCustodyAccounts = route({
  ...custodyRoute,
  service: 'ledger-balance',
  name: 'listCustodyAccounts',
  method: 'get',
  path: '/internal/custody/accounts',
  summary: 'List what the journal says the accounts of the platform hold on the ledger network, a page at a time',
  query: z.strictObject({
    after: z.string().max(textMax.reference).optional(),
    ledger: z
      .string()
      .regex(/^\d{1,9}$/)
      .optional()
      .meta({ description: 'The amounts after this ledger, not older than an hour; by default the present amounts' }),
  }),
  params: noParams,
  malformedParams: 'NOT_FOUND',
  body: noBody,
  success: {
    status: 200,
    data: z.object({ balances: custodyBalances, after: z.string().nullable().meta({ description: 'Null on the last page' }) }),
  },
});

export const custodyRoutes = {
  findWalletByAddress,
  cancelLedgerPayout,
  resolveLedgerPayout,
  getCustodyBalances,
  getDepositTotals,
  getJournalTotals,
  getBookTerms,
  listCustodyAccounts,
};
