import type { Settings } from '../../config.js';
import { contractLines } from './contract-versions.js';
import type { ContractNetwork } from './expect-call.js';

type ContractSettings = Pick<
  Settings,
  | 'LEDGER_NETWORK_PASSPHRASE'
  | 'ESCROW_FEE_ADDRESS'
  | 'ESCROW_LINE_SINGLE'
  | 'ESCROW_LINE_MULTI'
  | 'ESCROW_FACTORY_SINGLE'
  | 'ESCROW_FACTORY_MULTI'
  | 'ESCROW_WASM_HASH_SINGLE'
  | 'ESCROW_WASM_HASH_MULTI'
>;

export function contractNetworkOf(config: ContractSettings): ContractNetwork {
  const feeAddress = config.ESCROW_FEE_ADDRESS;
  return {
    networkPassphrase: config.LEDGER_NETWORK_PASSPHRASE,
    lines: {
      'single-release': {
        functions: contractLines[config.ESCROW_LINE_SINGLE],
        code: { factory: config.ESCROW_FACTORY_SINGLE, wasmHash: config.ESCROW_WASM_HASH_SINGLE, feeAddress },
      },
      'multi-release': {
        functions: contractLines[config.ESCROW_LINE_MULTI],
        code: { factory: config.ESCROW_FACTORY_MULTI, wasmHash: config.ESCROW_WASM_HASH_MULTI, feeAddress },
      },
    },
  };
}
