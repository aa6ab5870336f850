import {
  Account,
  Asset,
  Horizon,
  Keypair,
  Operation,
  TransactionBuilder,
  type FeeBumpTransaction,
  type Transaction,
  type xdr,
} from '@stellar/stellar-sdk';
import { systemClock } from '@holdfast/kernel/context';
import { silentLog } from '@holdfast/testing/log';
import { startSandbox } from '../start-sandbox.js';
import type { Sandbox, SandboxOptions } from '../options.js';

export type TestResponse = { readonly status: number; readonly body: any }; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests inspect responses of any provider

/** A running sandbox with clients and helpers for tests. */
export type RunningSandbox = Sandbox & {
  readonly horizon: Horizon.Server;
  readonly request: (method: string, url: string, body?: unknown, headers?: Record<string, string>) => Promise<TestResponse>;
  readonly control: (method: string, path: string, body?: unknown) => Promise<TestResponse>;
  readonly escrow: (path: string, body?: unknown) => Promise<TestResponse>;
  readonly read: (path: string) => Promise<TestResponse>;
  /** An account with a trustline for USDC, 100 XLM and the given amount of USDC. */
  readonly wallet: (usdc?: number) => Promise<Keypair>;
  readonly transaction: (
    key: Keypair,
    operations: readonly xdr.Operation[],
    options?: TransactionOptions,
  ) => Promise<Transaction>;
  /** Builds a transaction at the escrow provider, signs it and submits it there. */
  readonly write: (path: string, body: unknown, key: Keypair) => Promise<TestResponse>;
  readonly send: (transaction: Transaction | FeeBumpTransaction) => Promise<TestResponse>;
  readonly balance: (address: string) => Promise<number>;
};

export type TransactionOptions = { readonly fee?: string; readonly maxTime?: number; readonly sequence?: string };

const validSeconds = 300;

export async function runSandbox(options: Partial<SandboxOptions> = {}): Promise<RunningSandbox> {
  const sandbox = await startSandbox({ log: silentLog, ...options });
  return clientOf(sandbox);
}

export function clientOf(sandbox: Sandbox): RunningSandbox {
  const horizon = new Horizon.Server(sandbox.horizonUrl, { allowHttp: true });
  const usdc = new Asset('USDC', sandbox.usdcIssuer);
  const keyed = { 'x-api-key': sandbox.escrowApiKey };
  const control: RunningSandbox['control'] = (method, path, body) => sendRequest(method, `${sandbox.controlUrl}${path}`, body);
  const escrow: RunningSandbox['escrow'] = (path, body) =>
    sendRequest('POST', `${sandbox.escrowProviderUrl}${path}`, body, keyed);
  const send: RunningSandbox['send'] = (transaction) => escrow('/helper/send-transaction', { signedXdr: transaction.toXDR() });

  const transaction: RunningSandbox['transaction'] = async (key, operations, { fee = '1000', maxTime, sequence } = {}) => {
    const account = sequence === undefined ? await horizon.loadAccount(key.publicKey()) : new Account(key.publicKey(), sequence);
    const timebounds = { minTime: 0, maxTime: maxTime ?? Math.floor(systemClock().epochMs() / 1_000) + validSeconds };
    const builder = new TransactionBuilder(account, { fee, networkPassphrase: sandbox.networkPassphrase, timebounds });
    for (const operation of operations) builder.addOperation(operation);
    const built = builder.build();
    built.sign(key);
    return built;
  };

  const wallet: RunningSandbox['wallet'] = async (amount = 0) => {
    const key = Keypair.random();
    await control('POST', '/faucet', { address: key.publicKey(), asset: 'XLM', amount: 100 });
    await horizon.submitTransaction(await transaction(key, [Operation.changeTrust({ asset: usdc })]));
    if (amount > 0) await control('POST', '/faucet', { address: key.publicKey(), asset: 'USDC', amount });
    return key;
  };

  return {
    ...sandbox,
    horizon,
    request: sendRequest,
    control,
    escrow,
    read: (path) => sendRequest('GET', `${sandbox.escrowProviderUrl}${path}`, undefined, keyed),
    wallet,
    transaction,
    send,
    write: async (path, body, key) => {
      const built = await escrow(path, body);
      return built.status === 200 ? send(signed(built, key, sandbox.networkPassphrase)) : built;
    },
    balance: async (address) => {
      const { balances } = await horizon.loadAccount(address);
      return Number(balances.find((line) => 'asset_code' in line && line.asset_code === 'USDC')?.balance ?? 0);
    },
  };
}

export function signed(built: TestResponse, key: Keypair, networkPassphrase: string): Transaction | FeeBumpTransaction {
  const transaction = TransactionBuilder.fromXDR(String(built.body.unsignedTransaction), networkPassphrase);
  transaction.sign(key);
  return transaction;
}

async function sendRequest(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
