import { z } from 'zod';
import { email, freeText, id, instant, name, noBody, noParams, noQuery, textMax, unstorable } from '../shapes/index.js';
import {
  accountCurrency,
  accountToken,
  accountTransaction,
  accountUser,
  balanceEntry,
  ofAccounts,
  pagesQuery,
  pagination,
} from './account-shapes.js';
import { route } from './route.js';

export const passwordLength = { min: 8, max: 128 } as const;

const emailIn = email.overwrite((text) => text.toLowerCase());
/** Counted in code points, as in JSON Schema. Spaces belong to a password, but it does not consist of them alone. */
const password = z
  .string()
  .refine((text) => !unstorable.test(text), 'must not contain NUL or incomplete characters')
  .refine((text) => lengthOf(text) >= passwordLength.min, `must have at least ${passwordLength.min} characters`)
  .refine((text) => lengthOf(text) <= passwordLength.max, `must have at most ${passwordLength.max} characters`)
  .meta({
    description: 'Password',
    example: 'correct horse battery',
    minLength: passwordLength.min,
    maxLength: passwordLength.max,
  });

function lengthOf(text: string): number {
  return text.trim() === '' ? 0 : Array.from(text).length;
}

export const registerAccount = route({
  ...ofAccounts,
  name: 'accounts.register',
  service: 'identity',
  method: 'post',
  path: '/auth/register',
  summary: 'Register',
  description:
    'Creates a user of the default marketplace with an e-mail address and a password. Registrations are limited per network address.',
  auth: 'public',
  retry:
    'The e-mail address protects a retry: a second registration with it is refused. Log in if a registration that got no response is refused in this way.',
  params: noParams,
  query: noQuery,
  body: z.strictObject({ email: emailIn, password, name: name.meta({ description: 'Display name', example: 'Ada' }) }),
  success: { status: 200, data: accountUser.extend({ token: accountToken }).meta({ id: 'NewAccount' }), message: 'Registered' },
  errors: [],
});

export const logIn = route({
  ...ofAccounts,
  name: 'accounts.logIn',
  service: 'identity',
  method: 'post',
  path: '/auth/login',
  summary: 'Log in',
  description:
    'Attempts are limited per account and per network address. Beyond a limit even the right password gets 429, until the time in `Retry-After` has passed.',
  auth: 'public',
  retry: 'It has no effect that a retry could repeat.',
  params: noParams,
  query: noQuery,
  // A password that cannot be right gets the same response as a wrong one.
  body: z.strictObject({
    email: freeText(textMax.email)
      .overwrite((text) => text.toLowerCase())
      .meta({ description: 'E-mail address', example: 'ada@example.com' }),
    password: z.string().max(textMax.description).meta({ description: 'Password', example: 'correct horse battery' }),
  }),
  success: {
    status: 200,
    data: z.object({ token: accountToken, user: accountUser }).meta({ id: 'LoggedIn' }),
    message: 'Logged in',
  },
  errors: ['UNAUTHORIZED'],
  errorMessages: { UNAUTHORIZED: 'Invalid email or password' },
});

export const getAccountBalances = route({
  ...ofAccounts,
  name: 'accounts.getBalances',
  service: 'ledger-balance',
  method: 'get',
  path: '/balances',
  summary: 'Get my balances',
  description: 'One entry per currency.',
  auth: 'account',
  params: noParams,
  query: noQuery,
  body: noBody,
  success: {
    status: 200,
    data: z.object({ balances: z.array(balanceEntry) }).meta({ id: 'AccountBalances' }),
    message: 'Balances',
  },
  errors: [],
});

const asOfExample = 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Y.USD-7.XLM-2';

export const listAccountTransactions = route({
  ...ofAccounts,
  name: 'accounts.listTransactions',
  service: 'ledger-balance',
  method: 'get',
  path: '/balances/transactions',
  summary: 'List my transactions',
  description:
    'Newest first: what changed the sum of available and held. Send the `as_of` of the first page with the others, so that new transactions do not move the pages.',
  auth: 'account',
  params: noParams,
  query: z.strictObject({
    ...pagesQuery,
    currency: accountCurrency.optional(),
    asOf: freeText(textMax.reference).optional().meta({ description: 'The `as_of` of the first page', example: asOfExample }),
  }),
  body: noBody,
  success: {
    status: 200,
    data: z
      .object({
        transactions: z.array(accountTransaction),
        pagination,
        as_of: z.string().meta({ description: 'Send it with the other pages', example: asOfExample }),
      })
      .meta({ id: 'AccountTransactions' }),
    message: 'Transactions',
  },
  errors: [],
});

export const linkedWalletsMax = 20;

const publicKey = z.string().max(textMax.reference).meta({
  description: 'Public key of an account on the ledger network',
  example: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
});

const walletLink = z.object({ wallet_id: id('wal'), public_key: publicKey, connected_at: instant }).meta({ id: 'WalletLink' });
export type WalletLinkRecord = z.infer<typeof walletLink>;

export const connectWallet = route({
  ...ofAccounts,
  name: 'accounts.connectWallet',
  service: 'escrow-adapter',
  method: 'post',
  path: '/wallets/connect',
  summary: 'Link a wallet of my own',
  description: `An account may link up to ${linkedWalletsMax} wallets; the one that was connected last is the primary one. Money can be withdrawn to a linked wallet.`,
  auth: 'account',
  retry: 'The public key protects a retry: linking it again returns the same link.',
  params: noParams,
  query: noQuery,
  body: z.strictObject({ publicKey }),
  success: { status: 200, data: walletLink, message: 'Wallet connected' },
  refusals: { publicKey: 'INVALID_PUBLIC_KEY' },
  errors: ['INVALID_PUBLIC_KEY', 'LIMIT_EXCEEDED'],
});

export const accountRoutes = { registerAccount, logIn, getAccountBalances, listAccountTransactions, connectWallet };
