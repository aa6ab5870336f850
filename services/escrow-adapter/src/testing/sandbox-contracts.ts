import type { Sandbox } from '@holdfast/sandbox';
import type { ContractNetwork } from '../providers/escrow-contract/expect-call.js';
import { contractNetworkOf as networkOfSettings } from '../providers/escrow-contract/contract-network.js';

/** The contracts of the sandbox as settings. */
export function contractEnvOf({ contracts, contractVersion, providerFeesAddress }: Sandbox) {
  const { 'single-release': single, 'multi-release': multi } = contracts;
  return {
    ESCROW_VERSION_SINGLE: `single-${contractVersion}`,
    ESCROW_VERSION_MULTI: `multi-${contractVersion}`,
    ESCROW_FACTORY_SINGLE: single.factory,
    ESCROW_FACTORY_MULTI: multi.factory,
    ESCROW_WASM_HASH_SINGLE: single.wasmHash,
    ESCROW_WASM_HASH_MULTI: multi.wasmHash,
    ESCROW_FEE_ADDRESS: providerFeesAddress,
  } as const;
}

export function contractNetworkOf(sandbox: Sandbox): ContractNetwork {
  const { networkPassphrase: LEDGER_NETWORK_PASSPHRASE } = sandbox;
  return networkOfSettings({ ...contractEnvOf(sandbox), LEDGER_NETWORK_PASSPHRASE });
}
