import type { ContractType } from '../domain/contract.js';
import type { StoredEscrow } from '../domain/stored-escrow.js';
import type { LedgerRpc, LifetimeChange, SpendingKeys, TokenHolder } from '@holdfast/ledger-network/rpc';

/** The network's RPC, with what it shows of escrow contracts. */
export type ContractRpc = LedgerRpc & {
  /** Reads up to 60 contracts from one ledger, or fewer together with an entry for each of the payers. */
  readonly contractEntries: (contracts: readonly ContractRef[], payers?: SpendingKeys) => Promise<ContractEntries>;
  /** The index of the milestone that a landed transaction has resolved. Undefined if it has resolved none of this contract. */
  readonly resolvedMilestoneIn: (hash: string, contractId: string) => Promise<number | undefined>;
  /** Extends the entries of contracts whose life is short. */
  readonly planContractExtension: (contracts: readonly ContractRef[]) => Promise<LifetimeChange | undefined>;
  /** Extends the code of contracts where its life is short. */
  readonly planCodeExtension: (wasmHashes: readonly string[]) => Promise<LifetimeChange | undefined>;
  /** Restores the archived entries of a contract. Throws where the network does not have the contract at all. */
  readonly planContractRestoration: (contract: ArchivableContract) => Promise<LifetimeChange | undefined>;
};

export type ArchivableContract = ContractRef & {
  /** Of its code. */
  readonly wasmHash: string;
  /** It was funded, so the token has an entry with its balance. */
  readonly hasBalance: boolean;
};

export type ContractRef = TokenHolder & { readonly type: ContractType };

/** The network leaves out entries that it does not have. */
export type ContractEntry = {
  /** Of its code, in hex. */
  readonly wasmHash: string | undefined;
  readonly escrow: StoredEscrow | 'unreadable' | undefined;
  readonly balanceUnits: bigint | undefined;
  /** The first of its entries is archived after this ledger. */
  readonly liveUntilLedger: number | undefined;
};

export type ContractEntries = {
  /** The ledger that was read. */
  readonly latestLedger: number;
  /** The entries by contract id. */
  readonly contracts: ReadonlyMap<string, ContractEntry>;
  readonly spendable: Spendable;
};

/** What accounts can spend of an asset, by address. Accounts without it may be left out. */
export type Spendable = ReadonlyMap<string, bigint>;
