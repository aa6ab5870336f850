import type { OrderTransfer, TransferType } from '@holdfast/contracts/http';
import type { CustodyPlace } from '@holdfast/contracts/messages';
import { formatUnits, type Currency } from '@holdfast/kernel/money';
import { createdWithin, equals, newestOf, queryPage, type Database, type KeysetList } from '@holdfast/postgres';
import { accountNameOf, sharedOwners } from '../domain/accounts.js';
import { assetOfChain, custodyPlaceOf, outsidePlaces, type ChainCurrency } from '../domain/custody.js';
import type { CustodyAccount, JournalReader } from '../use-cases/ports.js';
import { transfers, type TransferRow } from './schema.js';
import { findLegs, type NamedLegRow } from './sql/find-legs.js';
import { listCustodyBalances, type CustodyBalanceOfOwnerRow } from './sql/list-custody-balances.js';
import { sumTerms, type TermRow } from './sql/sum-terms.js';
import { sumSharedAccounts, type SharedSumRow } from './sql/sum-shared-accounts.js';

/** No ledger has a higher number. */
const newestLedger = 2 ** 31 - 1;

export function journalReader({ lists }: Pick<Database, 'lists'>): JournalReader {
  return {
    sharedTotals: async () => {
      const { rows } = await lists.query<SharedSumRow>(sumSharedAccounts, [sharedOwners]);
      return rows.map(({ owner, currency, units }) => ({ owner, currency: currency as Currency, units: BigInt(units) }));
    },
    terms: async () => {
      const { rows } = await lists.query<TermRow>(sumTerms, [sharedOwners, outsidePlaces]);
      return rows.map(({ term, currency, units }) => ({ term, currency: currency as Currency, units: BigInt(units) }));
    },
    transfersOfOrder: async (marketplaceId, orderId, filter) => {
      const scope = [equals('order_id', orderId), equals('marketplace_id', marketplaceId)];
      const list: KeysetList = { ...newestOf(transfers), scope, filters: createdWithin('created_at', filter) };
      const found = await queryPage<TransferRow>(lists, list, filter);
      if (found === undefined) return undefined;
      const { rows } = await lists.query<NamedLegRow>(findLegs, [found.map(({ id }) => id)]);
      const legsOf = (id: string): readonly NamedLegRow[] => rows.filter(({ transferId }) => transferId === id);
      return found.map((row) => toOrderTransfer(row, orderId, legsOf(row.id)));
    },
    custodyAccounts: async (after, limit, ledger = newestLedger) => {
      const values = [after, outsidePlaces, limit, ledger];
      const { rows } = await lists.query<CustodyBalanceOfOwnerRow>(listCustodyBalances, values);
      return rows.map(toCustodyAccount);
    },
  };
}

function toOrderTransfer(row: TransferRow, orderId: string, legs: readonly NamedLegRow[]): OrderTransfer {
  const { id, type, milestoneRef, reference, description, createdAt } = row;
  return {
    id,
    type: type as TransferType,
    orderId,
    milestoneRef,
    reference,
    description,
    legs: legs.map((leg) => ({
      account: accountNameOf(leg),
      amount: formatUnits(leg.units),
      currency: leg.currency as Currency,
    })),
    createdAt,
  };
}

function toCustodyAccount({ id, owner, currency, units }: CustodyBalanceOfOwnerRow): CustodyAccount {
  const { place, ownerId } = custodyPlaceOf(owner);
  return { id, place: place as CustodyPlace, ownerId, asset: assetOfChain(currency as ChainCurrency), units };
}
