import type { Settings } from '../../config.js';
import { contractVersions } from './contract-versions.js';
import type { ContractNetwork } from './expect-call.js';

type ContractSettings = Pick<
  Settings,
  'LEDGER_NETWORK_PASSPHRASE' | 'ESCROW_FEE_ADDRESS' | `ESCROW_${'VERSION' | 'FACTORY' | 'WASM_HASH'}_${'SINGLE' | 'MULTI'}`
>;

export function contractNetworkOf(config: ContractSettings): ContractNetwork {
  const feeAddress = config.ESCROW_FEE_ADDRESS;
  return {
    networkPassphrase: config.LEDGER_NETWORK_PASSPHRASE,
    versions: {
      'single-release': {
        functions: contractVersions[config.ESCROW_VERSION_SINGLE],
        code: { factory: config.ESCROW_FACTORY_SINGLE, wasmHash: config.ESCROW_WASM_HASH_SINGLE, feeAddress },
      },
      'multi-release': {
        functions: contractVersions[config.ESCROW_VERSION_MULTI],
        code: { factory: config.ESCROW_FACTORY_MULTI, wasmHash: config.ESCROW_WASM_HASH_MULTI, feeAddress },
      },
    },
  };
}
