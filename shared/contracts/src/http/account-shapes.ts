import { z } from 'zod';
import { formatUnits, parseMoney, type Currency, type Money } from '@holdfast/kernel/money';
import { id, instant, pageNumber, pageSize } from '../shapes/index.js';

/** Declared in every route of the account API: its own envelope, no prefix, and no Idempotency-Key. */
export const ofAccounts = { family: 'account', idempotent: false, malformedParams: 'NOT_FOUND' } as const;

/** The message of a 401 on routes that need the token of an account. */
export const tokenNeeded = 'A valid token is needed: log in, and send the token as "Authorization: Bearer <token>".';

const numberMax = 99_999_999_999.99;

/** Every number of the range is written as it was sent, because a double has more digits than that. */
const atMostTwoPlaces = /^-?\d+(\.\d{1,2})?$/;

/** An amount as a JSON number. */
export const numberIn = z
  .number()
  .positive('must be positive')
  .max(numberMax)
  .refine((amount) => amount > numberMax || atMostTwoPlaces.test(String(amount)), 'must have at most two decimal places')
  .meta({ description: 'Amount above zero with up to two decimal places', example: 12.5 });

/** The money of a number that `numberIn` has accepted. */
export function moneyOfNumber(amount: number, currency: Currency): Money {
  return parseMoney(String(amount), currency);
}

export const numberOut = z.number().meta({ description: 'Amount', example: 12.5 });

/** Units as a JSON number. */
export function numberOfUnits(units: bigint): number {
  return Number(formatUnits(units));
}

/** The currencies in the order of the specification. */
export const accountCurrencies = ['USD', 'XLM', 'USDC'] as const satisfies readonly Currency[];
export const accountCurrency = z.enum(accountCurrencies).meta({ description: 'Currency code', example: 'USD' });

export const pagesQuery = { page: pageNumber, limit: pageSize } as const;

export const pagination = z
  .object({ page: z.int(), limit: z.int(), total: z.int(), pages: z.int() })
  .meta({ id: 'Pagination', example: { page: 1, limit: 20, total: 1, pages: 1 } });
export type PaginationView = z.infer<typeof pagination>;

export function paginationOf({ page, limit }: { readonly page: number; readonly limit: number }, total: number): PaginationView {
  return { page, limit, total, pages: Math.ceil(total / limit) };
}

export const accountUser = z
  .object({
    id: id('usr'),
    email: z.string().meta({ description: 'E-mail address, in lower case', example: 'ada@example.com' }),
    name: z.string().meta({ description: 'Display name', example: 'Ada' }),
  })
  .meta({ id: 'AccountUser' });
export type AccountUserView = z.infer<typeof accountUser>;

export const accountToken = z.string().meta({
  description: 'Send it as `Authorization: Bearer <token>`',
  example: 'eyJhbGciOiJIUzI1NiIsImtpZCI6IjdmMGMifQ.eyJzdWIiOiJ1c3JfMDFKQjIifQ.c2lnbmVk',
});

export const balanceEntry = z
  .object({ currency: accountCurrency, available: numberOut, held: numberOut })
  .meta({ id: 'BalanceEntry', example: { currency: 'USD', available: 80, held: 20 } });
export type BalanceEntryView = z.infer<typeof balanceEntry>;

export const accountTransaction = z
  .object({
    id: id('txn'),
    type: z.enum(['credit', 'debit']).meta({ description: 'Whether the balance grew or shrank', example: 'credit' }),
    amount: numberOut,
    currency: accountCurrency,
    description: z.string().meta({ description: 'What the transaction was for', example: 'Top-up' }),
    created_at: instant,
  })
  .meta({ id: 'AccountTransaction' });
export type AccountTransactionView = z.infer<typeof accountTransaction>;

export const projectStatuses = ['open', 'in_progress', 'completed', 'canceled'] as const;
export const projectStatus = z.enum(projectStatuses).meta({
  description:
    '`in_progress` while its escrow holds the money, `completed` once it was released; after a refund it is `open` again',
  example: 'open',
});

export const project = z
  .object({
    id: id('prj'),
    title: z.string().meta({ example: 'A new website' }),
    description: z.string().meta({ example: 'Five pages, delivered in June' }),
    budget: numberOut,
    currency: accountCurrency,
    status: projectStatus,
    created_at: instant,
  })
  .meta({ id: 'Project' });
export type ProjectView = z.infer<typeof project>;

export const accountEscrow = z
  .object({
    escrow_id: id('esc'),
    project_id: id('prj'),
    buyer_id: id('usr'),
    seller_id: id('usr'),
    amount: numberOut,
    currency: accountCurrency,
    status: z.enum(['funded', 'released']).meta({
      description: '`funded` while the contract holds the money, `released` once it was paid out',
      example: 'funded',
    }),
    created_at: instant,
    released_amount: numberOut.optional().meta({ description: 'What was paid out; after a release only' }),
    released_at: instant.optional().meta({ description: 'After a release only' }),
  })
  .meta({
    id: 'AccountEscrow',
    example: {
      escrow_id: 'esc_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      project_id: 'prj_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      buyer_id: 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
      seller_id: 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Z',
      amount: 12.5,
      currency: 'USD',
      status: 'funded',
      created_at: '2026-01-31T12:00:00.123456Z',
    },
  });
export type AccountEscrowView = z.infer<typeof accountEscrow>;

export const releasedEscrow = z
  .object({
    escrow_id: id('esc'),
    status: z.literal('released'),
    released_amount: numberOut,
    released_at: instant,
  })
  .meta({ id: 'ReleasedEscrow' });
export type ReleasedEscrowView = z.infer<typeof releasedEscrow>;
