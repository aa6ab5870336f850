import {
  Account,
  Asset,
  BASE_FEE,
  Horizon,
  Keypair,
  MuxedAccount,
  Operation,
  TransactionBuilder,
  type Transaction,
  type xdr,
} from '@stellar/stellar-sdk';
import { formatUnits, parseUnits } from '@holdfast/kernel/money';
import { eventually } from '@holdfast/testing/eventually';
import { aUser, textOf } from '../faults/order-life.js';
import type { Api } from '../testing/api.js';
import type { Network } from './network.js';

/** A stranger on the network who pays to our wallets, in each of the forms in which USDC arrives. */
export type Stranger = {
  /** Each call uses the next form. Returns once a ledger contains it. */
  readonly pay: (address: string) => Promise<void>;
};

/** A user to whose wallet strangers pay now and then. */
export type Depositor = {
  readonly address: string;
  readonly expectCredited: (payments: number, timeoutMs: number) => Promise<void>;
};

const paid = '1.25';
const validSeconds = 600;
const landTimeoutMs = 120_000;
const muxedId = '42';

type Form = (destination: string, usdc: Asset) => xdr.Operation;

const forms: readonly Form[] = [
  (destination, asset) => Operation.payment({ destination, asset, amount: paid }),
  (destination, asset) => Operation.payment({ destination: muxed(destination), asset, amount: paid }),
  (destination, destAsset) =>
    Operation.pathPaymentStrictSend({
      sendAsset: Asset.native(),
      sendAmount: paid,
      destination,
      destAsset,
      destMin: paid,
      path: [],
    }),
];

function muxed(address: string): string {
  return new MuxedAccount(new Account(address, '0'), muxedId).accountId();
}

export async function aStranger({ url, control, variables }: Network): Promise<Stranger> {
  const keys = Keypair.random();
  const usdc = new Asset('USDC', variables['USDC_ISSUER'] ?? '');
  const horizon = new Horizon.Server(url, { allowHttp: true });
  const networkPassphrase = variables['LEDGER_NETWORK_PASSPHRASE'] ?? '';
  await control.give(keys.publicKey(), 'XLM', '1000.00');
  // Counts its own sequence numbers, because a node that is behind names an old one.
  const source = await eventually(() => horizon.loadAccount(keys.publicKey()), { timeoutMs: landTimeoutMs });
  const execute = async (operation: xdr.Operation): Promise<void> => {
    const transaction = new TransactionBuilder(source, { fee: BASE_FEE, networkPassphrase })
      .addOperation(operation)
      .setTimeout(validSeconds)
      .build();
    transaction.sign(keys);
    await land(horizon, transaction);
  };
  await execute(Operation.changeTrust({ asset: usdc }));
  await control.give(keys.publicKey(), 'USDC', '1000.00');
  let payments = 0;
  return {
    pay: async (address) => {
      const form = forms[payments % forms.length];
      payments += 1;
      if (form !== undefined) await execute(form(address, usdc));
    },
  };
}

/** A thief of an account's seed pays with it. A transaction of the platform may use the sequence number first. */
export async function spendAs(
  { url, variables }: Pick<Network, 'url' | 'variables'>,
  seed: string,
  amount: string,
  code: 'XLM' | 'USDC' = 'XLM',
): Promise<void> {
  const keys = Keypair.fromSecret(seed);
  const horizon = new Horizon.Server(url, { allowHttp: true });
  const networkPassphrase = variables['LEDGER_NETWORK_PASSPHRASE'] ?? '';
  const destination = variables['USDC_ISSUER'] ?? '';
  const asset = code === 'XLM' ? Asset.native() : new Asset(code, destination);
  await eventually(
    async () => {
      const transaction = new TransactionBuilder(await horizon.loadAccount(keys.publicKey()), {
        fee: BASE_FEE,
        networkPassphrase,
      })
        .addOperation(Operation.payment({ destination, asset, amount }))
        .setTimeout(validSeconds)
        .build();
      transaction.sign(keys);
      await horizon.submitTransaction(transaction, { skipMemoRequiredCheck: true });
    },
    { timeoutMs: landTimeoutMs },
  );
}

/** The network fails now and then; the same transaction again cannot pay twice. */
async function land(horizon: Horizon.Server, transaction: Transaction): Promise<void> {
  const hash = transaction.hash().toString('hex');
  await eventually(
    async () => {
      await horizon.submitTransaction(transaction, { skipMemoRequiredCheck: true }).catch(() => undefined);
      expect((await horizon.transactions().transaction(hash).call()).successful).toBe(true);
    },
    { timeoutMs: landTimeoutMs },
  );
}

export async function aDepositor(api: Api, timeoutMs: number): Promise<Depositor> {
  const userId = await aUser(api, 'depositor');
  const address = await eventually(
    async () => {
      const { status, data } = await api.get(`/users/${userId}/wallet/deposit`);
      expect(status).toBe(200);
      return textOf(data, 'address');
    },
    { timeoutMs },
  );
  return {
    address,
    expectCredited: (payments, waitMs) =>
      eventually(
        async () => {
          const { data } = await api.get(`/users/${userId}/balance?currency=USDC`);
          expect(data['available']).toBe(formatUnits(parseUnits(paid) * BigInt(payments)));
        },
        { timeoutMs: waitMs },
      ),
  };
}
