import { TransactionBuilder } from '@stellar/stellar-sdk';
import { z } from 'zod';
import { toInstant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { LedgerAccount, LedgerNetwork, LedgerPayment, Submission } from '../ports.js';
import { openHorizon, statusOf, type HorizonClient } from './horizon.js';
import type { LedgerHistory, LedgerOperation, OperationPage } from './ledger-history.js';
import { parseOperation } from './parse-operation.js';
import { unitsOfText } from './units-of-text.js';

export type HorizonOptions = { readonly url: string; readonly networkPassphrase: string; readonly usdcIssuer: string };

/** The ledger network through its Horizon API. */
export function horizonNetwork(options: HorizonOptions): LedgerNetwork & { readonly history: LedgerHistory } {
  const horizon = openHorizon(options.url);
  const history = historyOf(horizon, options.usdcIssuer);
  return {
    networkPassphrase: options.networkPassphrase,
    history,
    account: (address) =>
      horizon.read(async (server) => toAccount(await server.accounts().accountId(address).call(), options.usdcIssuer)),
    submit: (signedXdr) => submit(horizon, signedXdr, options.networkPassphrase),
    transaction: (hash) =>
      horizon.read(async (server) => {
        const found = transactionFields.parse(await server.transactions().transaction(hash).call());
        return {
          isSuccessful: found.successful,
          ledger: found.ledger_attr ?? found.ledger,
          closedAt: instantOf(found.created_at),
        };
      }),
    transfers: async (hash) => (await history.ofTransaction(hash)).flatMap(({ transfers }) => transfers),
    latestLedger: async () => {
      const latest = await horizon.read(async (server) => {
        const { records } = await server.ledgers().order('desc').limit(1).call();
        return ledgerFields.parse(records[0]);
      });
      if (latest === undefined) throw new AppError('SERVICE_UNAVAILABLE', { dependency: 'ledgerNetwork' });
      return { sequence: latest.sequence, closedAt: instantOf(latest.closed_at) };
    },
    payments: async (address, cursor) => paymentsIn((await history.ofAccount(address, cursor ?? '')).operations, address),
  };
}

const pageSize = 200;

function historyOf(horizon: HorizonClient, usdcIssuer: string): LedgerHistory {
  const parsed = (records: readonly unknown[]): readonly LedgerOperation[] =>
    records.map((record) => parseOperation(record, usdcIssuer));
  const pageOf = (operations: readonly LedgerOperation[] | undefined): OperationPage => ({
    operations: operations ?? [],
    isLast: (operations?.length ?? 0) < pageSize,
  });
  return {
    all: async (cursor) =>
      pageOf(
        await horizon.read(async (server) => {
          const query = server.operations().cursor(cursor).order('asc').limit(pageSize).includeFailed(true).join('transactions');
          return parsed((await query.call()).records);
        }),
      ),
    ofAccount: async (address, cursor) =>
      pageOf(
        await horizon.read(async (server) => {
          const query = server.payments().forAccount(address).cursor(cursor).order('asc').limit(pageSize).join('transactions');
          return parsed((await query.call()).records);
        }),
      ),
    ofTransaction: async (hash) =>
      (await horizon.read(async (server) => {
        const query = server.operations().forTransaction(hash).limit(pageSize).includeFailed(true).join('transactions');
        return parsed((await query.call()).records);
      })) ?? [],
    newestOf: async (address, { cursor, limit }) =>
      (await horizon.read(async (server) => {
        const query = server.payments().forAccount(address).order('desc').limit(limit);
        return parsed((await (cursor === undefined ? query : query.cursor(cursor)).call()).records);
      })) ?? [],
  };
}

const accountFields = z.object({
  sequence: z.coerce.bigint(),
  balances: z.array(
    z.object({
      balance: z.string(),
      asset_type: z.string(),
      asset_code: z.string().optional(),
      asset_issuer: z.string().optional(),
    }),
  ),
  /** The SDK renames `data`. The values are base64. */
  data_attr: z.record(z.string(), z.string()).optional(),
});

const memoRequired = Buffer.from('1').toString('base64');

function toAccount(record: unknown, usdcIssuer: string): LedgerAccount {
  const { sequence, balances, data_attr: data } = accountFields.parse(record);
  const native = balances.find(({ asset_type: type }) => type === 'native');
  const usdc = balances.find(({ asset_code: code, asset_issuer: issuer }) => code === 'USDC' && issuer === usdcIssuer);
  return {
    sequence,
    requiresMemo: data?.['config.memo_required'] === memoRequired,
    balances: {
      XLM: unitsOfText(native?.balance ?? '0'),
      ...(usdc === undefined ? {} : { USDC: unitsOfText(usdc.balance) }),
    },
  };
}

/** The SDK replaces `ledger` with a function and puts the number in `ledger_attr`. */
const transactionFields = z.object({
  successful: z.boolean(),
  created_at: z.string(),
  ledger_attr: z.number().optional(),
  ledger: z.unknown().transform((value) => (typeof value === 'number' ? value : 0)),
});

const ledgerFields = z.object({ sequence: z.number(), closed_at: z.string() });

function instantOf(text: string) {
  return toInstant(Date.parse(text));
}

const badRequest = 400;

const refusal = z.object({
  response: z.object({
    data: z.object({
      extras: z.object({ result_codes: z.object({ transaction: z.string(), operations: z.array(z.string()).optional() }) }),
    }),
  }),
});

/** Anything but a clear success or refusal is unknown: the transaction may have landed, or may still land. */
async function submit(horizon: HorizonClient, signedXdr: string, networkPassphrase: string): Promise<Submission> {
  const transaction = TransactionBuilder.fromXDR(signedXdr, networkPassphrase);
  const hash = transaction.hash().toString('hex');
  try {
    const response = await horizon.submit((server) => server.submitTransaction(transaction, { skipMemoRequiredCheck: true }));
    return response.successful && response.hash === hash ? { status: 'landed', hash } : { status: 'unknown' };
  } catch (error) {
    if (statusOf(error) !== badRequest) return { status: 'unknown' };
    const refused = refusal.safeParse(error);
    if (!refused.success) return { status: 'refused', resultCodes: ['tx_malformed'] };
    const { transaction: code, operations = [] } = refused.data.response.data.extras.result_codes;
    return { status: 'refused', resultCodes: [code, ...operations] };
  }
}

function paymentsIn(operations: readonly LedgerOperation[], address: string): readonly LedgerPayment[] {
  return operations.flatMap(({ id, transactionHash, isSuccessful, at, transfers }) =>
    transfers
      .filter(({ from, to }) => from === address || to === address)
      .map((transfer) => ({ ...transfer, id, cursor: id, transactionHash, isSuccessful, at })),
  );
}
