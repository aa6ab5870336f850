import { IntentPaused } from '@holdfast/intents';
import type { Log } from '@holdfast/kernel/context';
import type { Job } from '@holdfast/work';
import type { ContractType } from '../../domain/contract.js';
import type { ContractNetwork } from './expect-call.js';
import { specMismatch, type ContractVersion } from './version-spec.js';
import { WrongNetwork, type LedgerRpc } from '@holdfast/ledger-network/rpc';

/** The contracts on the network do not match the settings. */
class VersionMismatch extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'VersionMismatch';
  }
}

/** Compares the code of the contracts on the network with what this service signs. */
export type VersionCheck = {
  /** Throws if the code is another one or missing. While the network is unreachable the job repeats the check. */
  readonly start: () => Promise<void>;
  /** Throws IntentPaused until the code was compared; nothing may be built before. */
  readonly assertChecked: () => void;
  readonly job: Job;
};

export type VersionCheckDeps = {
  readonly rpc: Pick<LedgerRpc, 'contractCode'>;
  readonly network: Pick<ContractNetwork, 'versions'>;
  readonly log: Log;
};

const checkEveryMs = 5_000;

export function createVersionCheck({ rpc, network, log }: VersionCheckDeps): VersionCheck {
  let isChecked = false;
  const check = async (): Promise<void> => {
    await Promise.all([checkVersion(rpc, 'single-release', network), checkVersion(rpc, 'multi-release', network)]);
    isChecked = true;
  };
  return {
    start: () =>
      check().catch((error: unknown) => {
        if (error instanceof VersionMismatch || error instanceof WrongNetwork) throw error;
        log.warn({ error }, 'contract code not checked yet');
      }),
    assertChecked: () => {
      if (!isChecked) throw new IntentPaused('the code of the contracts could not be compared yet', checkEveryMs);
    },
    job: {
      name: 'check-contract-code',
      everyMs: checkEveryMs,
      run: async () => {
        if (!isChecked) await check();
      },
    },
  };
}

async function checkVersion(
  rpc: Pick<LedgerRpc, 'contractCode'>,
  type: ContractType,
  { versions }: Pick<ContractNetwork, 'versions'>,
): Promise<void> {
  const version: ContractVersion = versions[type];
  const { wasmHash } = version.code;
  const wasm = await rpc.contractCode(wasmHash);
  if (wasm === undefined) throw new VersionMismatch(`the network has no code ${wasmHash}, which the settings name for ${type}`);
  const mismatch = specMismatch(type, version, wasm);
  if (mismatch !== undefined)
    throw new VersionMismatch(`the code ${wasmHash} is not of the version that the settings name for ${type}: ${mismatch}`);
}
