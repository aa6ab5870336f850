import { z } from 'zod';
import type { ProviderMeasurement } from '@holdfast/http/provider-calls';
import { toInstant } from '@holdfast/kernel/context';
import { reservedUnitsOf, unitsOfText } from '../values/index.js';
import { paymentSearch } from './find-payments.js';
import { openHorizon } from './horizon.js';
import type { LedgerHistory } from './ledger-history.js';
import { findSequenceUse } from './sequence-use.js';
import type { LedgerAccount, LedgerNetwork } from './ledger-network.js';

export type HorizonOptions = {
  readonly url: string;
  readonly networkPassphrase: string;
  readonly usdcIssuer: string;
  readonly history: LedgerHistory;
  readonly measurement?: Pick<ProviderMeasurement, 'call' | 'onBreakerChange'>;
};

/**
 * The ledger network through its Horizon API. Accounts are read for settlements, so they have their own client: an outage or
 * refusal of the history does not open their circuit breaker.
 */
export function horizonNetwork(options: HorizonOptions): LedgerNetwork {
  const horizon = openHorizon(options.url, options.measurement);
  return {
    networkPassphrase: options.networkPassphrase,
    account: (address) =>
      horizon.read(async (server) => toAccount(await server.accounts().accountId(address).call(), options.usdcIssuer)),
    transaction: (hash) =>
      horizon.read(async (server) => {
        const found = transactionFields.parse(await server.transactions().transaction(hash).call());
        return {
          isSuccessful: found.successful,
          ledger: found.ledger_attr ?? found.ledger,
          closedAt: instantOf(found.created_at),
        };
      }),
    transfers: async (hash) => (await options.history.ofTransaction(hash)).flatMap(({ transfers }) => transfers),
    sequenceUse: (sought) => findSequenceUse(horizon, sought),
    findPayments: paymentSearch(options.history),
  };
}

const accountFields = z.object({
  sequence: z.coerce.bigint(),
  subentry_count: z.number().int(),
  num_sponsoring: z.number().int().default(0),
  num_sponsored: z.number().int().default(0),
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
  const { sequence, balances, data_attr: data, ...entries } = accountFields.parse(record);
  const { subentry_count: subentries, num_sponsoring: sponsoring, num_sponsored: sponsored } = entries;
  const native = balances.find(({ asset_type: type }) => type === 'native');
  const usdc = balances.find(({ asset_code: code, asset_issuer: issuer }) => code === 'USDC' && issuer === usdcIssuer);
  return {
    sequence,
    reservedUnits: reservedUnitsOf({ subentries, sponsoring, sponsored }),
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

function instantOf(text: string) {
  return toInstant(Date.parse(text));
}
