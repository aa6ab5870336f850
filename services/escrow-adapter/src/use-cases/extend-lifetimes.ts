import { AppError } from '@holdfast/kernel/errors';
import { contractTypes, type DeployedContract } from '../domain/contract.js';
import { lifeIsOver, lifeIsShort } from '@holdfast/ledger-network/values';
import type { LifetimeChange } from '@holdfast/ledger-network/rpc';
import type { Deps } from './ports.js';
import { refOf } from './read-state.js';
import type { ContractEntries } from './entry-ports.js';

/** Contracts per transaction; each has up to three entries. */
const contractsMax = 10;

/** Extends the entries of contracts that would be archived soon, so that settling them needs no restoration. */
export async function extendLifetimes(deps: Deps, contracts: readonly DeployedContract[], read: ContractEntries): Promise<void> {
  const short = contracts.filter(({ contractId }) => isShort(read, contractId)).map((contract) => refOf(deps, contract));
  for (let start = 0; start < short.length; start += contractsMax) {
    const chunk = short.slice(start, start + contractsMax);
    const isExtended = await tryExtend(deps, () => deps.rpc.planContractExtension(chunk));
    if (isExtended) deps.onLifetimesChanged('extend', chunk.length);
  }
}

function isShort({ latestLedger, contracts }: ContractEntries, contractId: string): boolean {
  const liveUntilLedger = contracts.get(contractId)?.liveUntilLedger;
  return lifeIsShort(liveUntilLedger, latestLedger) && !lifeIsOver(liveUntilLedger, latestLedger);
}

/** The code is shared by all contracts of a type. It costs more than their entries, so it has transactions of its own. */
export async function extendCode(deps: Deps): Promise<void> {
  const wasmHashes = new Set(contractTypes.map((type) => deps.expectations.wasmHashOf(type)));
  for (const wasmHash of wasmHashes) {
    const plan = () => deps.rpc.planCodeExtension([wasmHash]);
    if ((await plan()) !== undefined) await tryExtend(deps, plan);
  }
}

/** An extension that fails is tried again by a later run; it must not hold up the checks of contracts. */
async function tryExtend({ changeLifetimes, log }: Deps, plan: () => Promise<LifetimeChange | undefined>): Promise<boolean> {
  try {
    return (await changeLifetimes(plan)) === 'landed';
  } catch (error) {
    // A refused signature, such as for too high a fee, is not a passing failure.
    log[error instanceof AppError ? 'warn' : 'error']({ error }, 'entries on the ledger cannot be extended');
    return false;
  }
}
