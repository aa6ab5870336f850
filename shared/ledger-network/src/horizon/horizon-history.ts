import { z } from 'zod';
import { breaker } from '@holdfast/http/breaker';
import { onceDone } from '@holdfast/kernel/async';
import { createHttpClient, HttpStatusError, isHttpRefusal, type HttpClient } from '@holdfast/http/client';
import type { ProviderMeasurement } from '@holdfast/http/provider-calls';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import { WrongNetwork } from '../rpc/index.js';
import type { HistoryEntry, HistoryPage, LedgerHistory } from './ledger-history.js';
import { withMerged, isAmount, unitsOfText, type LedgerOperation } from '../values/index.js';
import { parseRecord } from './parse-operation.js';
import { parseTransaction, transactionListOf } from './transaction-list.js';

/** A call of the node, named by its path. Lower priority numbers go first. */
export type HistoryCall = { readonly key: string; readonly priority: number };

export type HorizonHistoryOptions = {
  readonly url: string;
  readonly networkPassphrase: string;
  readonly usdcIssuer: string;
  /** Waits until the node's rate limit allows the call. */
  readonly takeCall?: (call: HistoryCall) => Promise<void>;
  readonly measurement?: Pick<ProviderMeasurement, 'call' | 'onBreakerChange'>;
};

/** Users wait for these reads, but not for the next page of the whole history. */
const priorities = { ofUser: 0, ofNetwork: 1 } as const;

const timeoutMs = 30_000;
const breakerLimits = { timeoutMs: 2 * timeoutMs, failuresPercent: 50, callsMin: 20, resetMs: 5_000 };
/** A page has up to 200 operations, each with its whole transaction. */
const responseBytesMax = 64 * 1024 * 1024;
const connectionsMax = 4;
const pageSize = 200;

const rootNetwork = z.object({ network_passphrase: z.string() });
const rootLedger = z.object({ history_latest_ledger: z.int().nonnegative() });
const page = z.object({ _embedded: z.object({ records: z.array(z.unknown()) }) });

export type HorizonHistory = LedgerHistory & {
  /** Throws WrongNetwork if the node belongs to another network. Nothing is read before this has passed. */
  readonly checkNetwork: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * The history of the network from Horizon, with its own time limits and circuit breaker. The records are read as they are sent, so
 * that one which cannot be understood is rejected alone, and is stored unchanged.
 */
export function horizonHistory(options: HorizonHistoryOptions): HorizonHistory {
  const { url, networkPassphrase, usdcIssuer, takeCall, measurement } = options;
  const errors = { unavailable: 'SERVICE_UNAVAILABLE', timedOut: 'PROVIDER_TIMEOUT' } as const;
  const client = createHttpClient({ baseUrl: url, timeoutMs, responseBytesMax, connectionsMax, errors, peer: 'ledger-horizon' });
  const get = (path: string) => client.request({ method: 'GET', path, responseSchema: page });
  const checkNetwork = onceDone(() => requireNetwork(client, networkPassphrase));
  const guarded = breaker(get, {
    ...breakerLimits,
    isExpected: isHttpRefusal,
    ...(measurement === undefined ? {} : { onChange: measurement.onBreakerChange }),
  });
  const read = async (path: string, priority: number): Promise<readonly unknown[]> => {
    await checkNetwork();
    await takeCall?.({ key: path, priority });
    const send = () => guarded(path);
    return (
      await (measurement?.call('read', send) ?? send()).catch((error: unknown) => {
        throw toAppError(error);
      })
    )._embedded.records;
  };
  const latestLedger = async (): Promise<number> => {
    await checkNetwork();
    await takeCall?.({ key: '/', priority: priorities.ofNetwork });
    return (await readRoot(client, rootLedger)).history_latest_ledger;
  };
  const entries = async (path: string, priority: number): Promise<readonly HistoryEntry[]> =>
    (await read(path, priority)).map((record) => parseRecord(record, usdcIssuer));
  const effectsOf = (operationId: string): Promise<readonly unknown[]> =>
    read(`/operations/${operationId}/effects?limit=${pageSize}`, priorities.ofNetwork);
  const mergedUnits = async (operationId: string, into: string): Promise<bigint | undefined> =>
    creditIn(await effectsOf(operationId), into);
  return {
    checkNetwork,
    all: async (cursor) => toPage(await entries(listOf('/operations', { cursor, includeFailed: true }), priorities.ofNetwork)),
    latestLedger,
    mergedUnits,
    affectedBy: async (operationId) => accountsIn(await effectsOf(operationId).catch(noneIfUnknown)),
    ofTransaction: async (hash) => {
      const path = listOf(`/transactions/${hash}/operations`, { includeFailed: true });
      return operationsOf(await entries(path, priorities.ofUser).catch(noneIfUnknown));
    },
    transactionsOf: async (address, page) =>
      (await read(transactionListOf(address, page), priorities.ofNetwork).catch(noneIfUnknown)).map(parseTransaction),
    newestOf: async (address, { cursor, limit }) => {
      const path = listOf(`/accounts/${address}/payments`, { cursor, limit, order: 'desc' });
      const operations = operationsOf(await entries(path, priorities.ofUser).catch(noneIfUnknown));
      return Promise.all(
        operations.map(async (operation) =>
          operation.merge?.into === address ? withMerged(operation, await mergedUnits(operation.id, address)) : operation,
        ),
      );
    },
    close: () => {
      guarded.close();
      return client.close();
    },
  };
}

function readRoot<Schema extends z.ZodType>(client: HttpClient, responseSchema: Schema): Promise<z.output<Schema>> {
  return client.request({ method: 'GET', path: '/', responseSchema }).catch((error: unknown) => {
    throw toAppError(error);
  });
}

async function requireNetwork(client: HttpClient, networkPassphrase: string): Promise<void> {
  const shown = await readRoot(client, rootNetwork);
  if (shown.network_passphrase !== networkPassphrase) throw new WrongNetwork('Horizon', shown.network_passphrase);
}

type ListQuery = {
  readonly cursor?: string | undefined;
  readonly order?: 'asc' | 'desc';
  readonly limit?: number;
  readonly includeFailed?: boolean;
};

function listOf(path: string, { cursor, order = 'asc', limit = pageSize, includeFailed = false }: ListQuery): string {
  const query = new URLSearchParams({ order, limit: String(limit), join: 'transactions' });
  if (cursor !== undefined && cursor !== '') query.set('cursor', cursor);
  if (includeFailed) query.set('include_failed', 'true');
  return `${path}?${query.toString()}`;
}

function toPage(entries: readonly HistoryEntry[]): HistoryPage {
  return { entries, isLast: entries.length < pageSize };
}

function operationsOf(entries: readonly HistoryEntry[]): readonly LedgerOperation[] {
  return entries.flatMap((entry) => ('operation' in entry ? [entry.operation] : []));
}

const credit = z.object({ type: z.literal('account_credited'), account: z.string(), amount: z.string().refine(isAmount) });

function creditIn(effects: readonly unknown[], account: string): bigint | undefined {
  const credits = effects.flatMap((effect) => credit.safeParse(effect).data ?? []);
  const amount = credits.find((each) => each.account === account)?.amount;
  return amount === undefined ? undefined : unitsOfText(amount);
}

const effect = z.object({ account: z.string() });

/** Undefined without effects: every operation that moves something has some. */
function accountsIn(effects: readonly unknown[]): readonly string[] | undefined {
  const accounts = effects.flatMap((each) => effect.safeParse(each).data?.account ?? []);
  return accounts.length === 0 ? undefined : [...new Set(accounts)];
}

const notFound = 404;
const gatewayTimeout = 504;

function toAppError(error: unknown): AppError {
  const isLate = isAppError(error, 'PROVIDER_TIMEOUT') || (error instanceof HttpStatusError && error.status === gatewayTimeout);
  return new AppError(isLate ? 'PROVIDER_TIMEOUT' : 'SERVICE_UNAVAILABLE', { dependency: 'ledgerNetwork' }, { cause: error });
}

/** The network does not have the transaction or account. */
function noneIfUnknown(error: unknown): readonly never[] {
  const isUnknown = error instanceof AppError && error.cause instanceof HttpStatusError && error.cause.status === notFound;
  if (isUnknown) return [];
  throw error;
}
