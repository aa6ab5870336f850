import { Contract, StrKey, xdr } from '@stellar/stellar-sdk';
import type { ContractType } from '../../domain/contract.js';
import type { ContractEntries, ContractEntry, ContractRef, ContractRpc } from '../../use-cases/entry-ports.js';
import { scAddress } from '@holdfast/ledger-network/envelopes';
import {
  balanceKey,
  balanceUnitsIn,
  codeKey,
  dataKey,
  entryKey,
  spendableIn,
  type LedgerEntry,
  type LedgerRpc,
  type SpendingKeys,
} from '@holdfast/ledger-network/rpc';
import { parseEscrow } from './escrow-entry.js';
import { resolveMilestoneDispute } from './functions/resolve-milestone-dispute.js';

/** Adds what the entries of escrow contracts show. All contracts of a version share their code. */
export function withContracts(rpc: LedgerRpc): ContractRpc {
  return {
    ...rpc,
    contractEntries: (contracts, payers = new Map()) => readContractEntries(rpc, contracts, payers),
    resolvedMilestoneIn: async (hash, contractId) => {
      const call = await rpc.findCall(hash);
      if (call?.contract !== contractId || call.function !== resolveMilestoneDispute.name) return undefined;
      const [, index] = call.args;
      return index?.switch().name === 'scvU32' ? index.u32() : undefined;
    },
    planContractExtension: (contracts) => rpc.planExtension(contracts.map((contract) => Object.values(ledgerKeysOf(contract)))),
    planCodeExtension: (wasmHashes) => rpc.planExtension(wasmHashes.map((wasmHash) => [codeKey(wasmHash)])),
    // The network names what the function `get_escrow` reads; the balance is an entry of the token.
    planContractRestoration: (contract) => {
      const { instance, escrow, balance } = ledgerKeysOf(contract);
      return rpc.planRestoration({
        call: new Contract(contract.contractId).call('get_escrow'),
        allowed: [instance, escrow, balance, codeKey(contract.wasmHash)],
        others: contract.hasBalance ? [balance] : [],
      });
    },
  };
}

/**
 * Reads instance, escrow and token balance of contracts, and what accounts can spend, from one ledger. There is no contract without a
 * valid id.
 */
async function readContractEntries(
  { entries: read }: LedgerRpc,
  refs: readonly ContractRef[],
  payers: SpendingKeys,
): Promise<ContractEntries> {
  const contracts = refs.filter(({ contractId }) => StrKey.isValidContract(contractId));
  const keys = contracts.map((contract) => {
    const { instance, escrow, balance } = ledgerKeysOf(contract);
    return { contract, instance: entryKey(instance), escrow: entryKey(escrow), balance: entryKey(balance) };
  });
  const ofContracts = keys.flatMap(({ instance, escrow, balance }) => [instance, escrow, balance]);
  const { entries, latestLedger } = await read([...ofContracts, ...payers.values()]);
  const shown = keys.map(({ contract, instance, escrow, balance }): readonly [string, ContractEntry] => {
    const found = { instance: entries.get(instance), escrow: entries.get(escrow), balance: entries.get(balance) };
    return [contract.contractId, toEntry(contract, found)];
  });
  return { latestLedger, contracts: new Map(shown), spendable: spendableIn({ entries }, payers) };
}

const escrowKey = xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Escrow')]);

function ledgerKeysOf({ contractId, token }: Pick<ContractRef, 'contractId' | 'token'>) {
  const address = scAddress(contractId);
  return {
    instance: dataKey(address, xdr.ScVal.scvLedgerKeyContractInstance()),
    escrow: dataKey(address, escrowKey),
    balance: balanceKey(address, scAddress(token)),
  };
}

type Found = Readonly<Record<'instance' | 'escrow' | 'balance', LedgerEntry | undefined>>;

/** Some contracts store the struct in a separate entry, others within their instance. */
function toEntry({ type }: ContractRef, { instance, escrow, balance }: Found): ContractEntry {
  const running = valueOf(instance)?.instance();
  const stored = valueOf(escrow) ?? storedIn(running);
  const lives = [instance, escrow, balance].flatMap((entry) => entry?.liveUntilLedger ?? []);
  return {
    wasmHash: running === undefined ? undefined : hashOf(running),
    escrow: stored === undefined ? undefined : escrowOf(type, stored),
    balanceUnits: balanceUnitsIn(balance?.data),
    liveUntilLedger: lives.length === 0 ? undefined : Math.min(...lives),
  };
}

/** One contract with another struct must not make the others unreadable. */
function escrowOf(type: ContractType, stored: xdr.ScVal): ContractEntry['escrow'] {
  try {
    return parseEscrow(type, stored);
  } catch {
    return 'unreadable';
  }
}

function valueOf(entry: LedgerEntry | undefined): xdr.ScVal | undefined {
  return entry?.data.contractData().val();
}

function storedIn(instance: xdr.ScContractInstance | undefined): xdr.ScVal | undefined {
  const expected = escrowKey.toXDR('base64');
  return instance
    ?.storage()
    ?.find((entry) => entry.key().toXDR('base64') === expected)
    ?.val();
}

/** Undefined for a contract without its own code, such as a token's contract. */
function hashOf(instance: xdr.ScContractInstance): string | undefined {
  const executable = instance.executable();
  return executable.switch().name === 'contractExecutableWasm' ? executable.wasmHash().toString('hex') : undefined;
}
