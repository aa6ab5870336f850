import type { TokenContracts, Evidence, LedgerRpc, SoughtTransaction } from '../rpc/index.js';
import type { LedgerNetwork } from '../horizon/index.js';

export type HistoryDeps<Rpc> = {
  readonly rpc: Rpc;
  readonly network: Pick<LedgerNetwork, 'transaction' | 'transfers' | 'sequenceUse'>;
  readonly tokens: TokenContracts;
};

/**
 * The network's RPC, with the history as the proof of what its nodes have forgotten. Otherwise a transaction whose ledgers they do not
 * keep any more, and whose sequence number is used, would be pending for ever.
 */
export function withHistory<Rpc extends Pick<LedgerRpc, 'evidenceOf'>>({ rpc, network, tokens }: HistoryDeps<Rpc>): Rpc {
  return {
    ...rpc,
    evidenceOf: async (sought, lookUp) => {
      const evidence = await rpc.evidenceOf(sought, lookUp);
      if (evidence.status !== 'pending' || evidence.isForgotten !== true) return evidence;
      return (await evidenceInHistory(network, tokens, sought)) ?? evidence;
    },
  };
}

/** Undefined where the history does not prove anything either. */
async function evidenceInHistory(
  network: HistoryDeps<unknown>['network'],
  tokens: TokenContracts,
  { hash, sourceAccount, sequence, firstLedger }: SoughtTransaction,
): Promise<Evidence | undefined> {
  const found = await network.transaction(hash);
  if (found?.isSuccessful === false)
    return { status: 'failed', ledger: found.ledger, reason: 'the transaction failed on the ledger network' };
  if (found !== undefined) {
    const moved = await network.transfers(hash);
    const transfers = moved.map(({ from, to, asset, units }) => ({ token: tokens[asset], from, to, units }));
    return { status: 'landed', ledger: found.ledger, transfers };
  }
  const use = await network.sequenceUse({ address: sourceAccount, sequence, afterLedger: firstLedger });
  return use === undefined || use.hashes.includes(hash) ? undefined : { status: 'never' };
}
