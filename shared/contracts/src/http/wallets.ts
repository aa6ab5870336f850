import { z } from 'zod';
import { walletTypes } from '../messages/index.js';
import { amountOut, currency, id, instant, noBody, noQuery, pageQuery } from '../shapes/index.js';
import { route } from './route.js';

const path = '/users/{userId}/wallet';
const onWallet = {
  service: 'escrow-adapter',
  family: 'plain',
  method: 'get',
  auth: 'read',
  idempotent: false,
  params: z.strictObject({ userId: id('usr') }),
  malformedParams: 'USER_NOT_FOUND',
  query: noQuery,
  body: noBody,
} as const;

const ledgerAddress = z.string().meta({ description: 'Address on the ledger network', example: 'GEXAMPLELEDGERADDRESS' });
const asset = z.string().meta({ description: 'Asset code', example: 'USDC' });

export const walletDirections = ['IN', 'OUT'] as const;

export const wallet = z
  .object({
    publicKey: ledgerAddress,
    type: z
      .enum(walletTypes)
      .meta({ description: '`INVISIBLE`: the platform holds the key; `EXTERNAL`: the user holds the key' }),
    provider: z.string().meta({ description: 'Who holds the key', example: 'holdfast' }),
    isPrimary: z.boolean(),
    balances: z.array(z.object({ asset, balance: amountOut })).meta({ description: 'Current balances on the ledger network' }),
    createdAt: instant,
  })
  .meta({ id: 'Wallet' });
export type WalletRecord = z.infer<typeof wallet>;

export const depositAddress = z
  .object({
    method: z.string().meta({ description: 'Deposit method', example: 'ledger_payment' }),
    address: ledgerAddress,
    asset: z.object({
      code: asset,
      issuer: z
        .string()
        .nullable()
        .meta({ description: 'Null for the native asset of the network', example: 'GEXAMPLEISSUERADDRESS' }),
    }),
    network: z.string().meta({ description: 'Ledger network of the address', example: 'sandbox' }),
    creditedCurrency: currency.meta({ description: 'Currency of the balance that the deposit is credited to', example: 'USDC' }),
    instructions: z.string().meta({
      description: 'Human-readable instructions; they name the balance that is credited',
      example: 'Send USDC to this address. It is credited one to one to the USDC balance of the user.',
    }),
  })
  .meta({ id: 'DepositAddress' });
export type DepositAddressRecord = z.infer<typeof depositAddress>;

export const walletTransaction = z
  .object({
    id: z.string().meta({ description: 'Operation id on the ledger network', example: '123456789012345' }),
    type: z.string().meta({ description: 'Operation type', example: 'payment' }),
    direction: z.enum(walletDirections),
    from: ledgerAddress.nullable(),
    to: ledgerAddress.nullable(),
    amount: amountOut,
    asset,
    hash: z.string().meta({
      description: 'Transaction hash',
      example: '6f2c1d1e0a9b8c7d6e5f40312233445566778899aabbccddeeff001122334455',
    }),
    successful: z.boolean(),
    createdAt: instant,
  })
  .meta({ id: 'WalletTransaction' });
export type WalletTransactionRecord = z.infer<typeof walletTransaction>;

export const getWallet = route({
  ...onWallet,
  name: 'wallets.get',
  path,
  summary: 'Get a wallet',
  description: "The user's account on the ledger network, held in custody by the platform.",
  success: { status: 200, data: wallet },
  waitsFor: 'provider',
  errors: ['USER_NOT_FOUND', 'WALLET_NOT_FOUND', 'PROVIDER_TIMEOUT'],
});

export const getDepositAddress = route({
  ...onWallet,
  name: 'wallets.getDepositAddress',
  path: `${path}/deposit`,
  summary: 'Get a deposit address',
  description:
    'Where to send tokens to credit a balance of the user; `creditedCurrency` names it. The response is sent when the address can receive a payment: the first request makes the account on the ledger network. If that takes too long, or too many accounts were requested, the response is 503 with Retry-After.',
  success: { status: 200, data: depositAddress },
  waitsFor: 'provider',
  errors: ['USER_NOT_FOUND', 'WALLET_NOT_FOUND', 'PLATFORM_STOPPED'],
});

export const listWalletTransactions = route({
  ...onWallet,
  name: 'wallets.listTransactions',
  path: `${path}/transactions`,
  summary: 'List wallet transactions',
  description: 'Newest first, as recorded by the ledger network.',
  query: z.strictObject(pageQuery),
  success: { status: 200, data: walletTransaction, list: true },
  waitsFor: 'provider',
  errors: ['USER_NOT_FOUND', 'WALLET_NOT_FOUND', 'PROVIDER_TIMEOUT'],
});

export const walletRoutes = { getWallet, getDepositAddress, listWalletTransactions };
