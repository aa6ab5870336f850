import { hash } from 'node:crypto';
import type { EscrowCall, EscrowProperties } from '../domain/escrow.js';
import { contractAddress } from './addresses.js';

export type DeployCall = {
  readonly name: 'deploy_escrow';
  readonly caller: string;
  /** Makes two deployments for one engagement two contracts. In hex. */
  readonly salt: string;
  readonly properties: EscrowProperties;
};

/** What a transaction asks of a contract: the deployer's to make an escrow, an escrow's for everything else. */
export type ContractCall = { readonly contractId: string; readonly call: DeployCall | EscrowCall };

/** The address a deployment leads to is known before it has landed. */
export function contractIdOf({ caller, salt, properties }: DeployCall): string {
  return contractAddress(hash('sha256', JSON.stringify([caller, properties.engagementId, salt]), 'binary'));
}
