import type { xdr } from '@stellar/stellar-sdk';
import type { Genesis } from '../ledger-network/genesis.js';
import type { History } from '../ledger-network/history.js';
import type { LedgerView } from '../ledger-network/ledger-view.js';

/** An entry of the ledger. Accounts and trustlines do not expire. */
export type FoundEntry = {
  readonly data: xdr.LedgerEntryData;
  readonly modifiedLedger: number;
  readonly liveUntilLedger?: number | undefined;
};

/** Where entries are found. */
export type EntrySources = { readonly view: LedgerView; readonly genesis: Genesis; readonly history: History };
