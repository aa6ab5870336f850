import { IntentPaused } from '@holdfast/intents';
import type { Log } from '@holdfast/kernel/context';
import type { Job } from '@holdfast/work';
import type { ContractType } from '../domain/contract.js';
import type { ContractNetwork } from '../signing/expectation.js';
import { specMismatch, type ContractLine } from '../signing/line-spec.js';
import type { LedgerRpc } from '../use-cases/network-ports.js';
import { WrongNetwork } from './wrong-network.js';

/** The contracts on the network are not those of the settings. */
class LineMismatch extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'LineMismatch';
  }
}

/** Compares the code of the contracts on the network with what this service signs. */
export type LineCheck = {
  /** Throws if the code is another one or missing. While the network is unreachable the job repeats the check. */
  readonly start: () => Promise<void>;
  /** Throws IntentPaused until the code was compared; nothing may be built before. */
  readonly assertChecked: () => void;
  readonly job: Job;
};

export type LineCheckDeps = {
  readonly rpc: Pick<LedgerRpc, 'contractCode'>;
  readonly network: Pick<ContractNetwork, 'lines'>;
  readonly log: Log;
};

const checkEveryMs = 5_000;

export function createLineCheck({ rpc, network, log }: LineCheckDeps): LineCheck {
  let isChecked = false;
  const check = async (): Promise<void> => {
    await Promise.all([checkLine(rpc, 'single-release', network), checkLine(rpc, 'multi-release', network)]);
    isChecked = true;
  };
  return {
    start: () =>
      check().catch((error: unknown) => {
        if (error instanceof LineMismatch || error instanceof WrongNetwork) throw error;
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

async function checkLine(
  rpc: Pick<LedgerRpc, 'contractCode'>,
  type: ContractType,
  { lines }: Pick<ContractNetwork, 'lines'>,
): Promise<void> {
  const line: ContractLine = lines[type];
  const { wasmHash } = line.code;
  const wasm = await rpc.contractCode(wasmHash);
  if (wasm === undefined) throw new LineMismatch(`the network has no code ${wasmHash}, which the settings name for ${type}`);
  const mismatch = specMismatch(type, line, wasm);
  if (mismatch !== undefined)
    throw new LineMismatch(`the code ${wasmHash} is not of the line that the settings name for ${type}: ${mismatch}`);
}
