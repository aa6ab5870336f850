import { tokenContracts } from '@holdfast/ledger-network/rpc';
import type { Settings } from '../../config.js';
import type { ContractExpectations } from '../../use-cases/ports.js';
import { contractExpectations } from './contract-expectations.js';
import { contractNetworkOf } from './contract-network.js';

/** The expectations for the network of the settings. */
export function expectationsOf(config: Settings): ContractExpectations {
  const tokens = tokenContracts(config.LEDGER_NETWORK_PASSPHRASE, config.USDC_ISSUER);
  return contractExpectations(contractNetworkOf(config), tokens);
}
