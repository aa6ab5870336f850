import { hash } from 'node:crypto';
import type { EscrowCall, EscrowProperties } from '../domain/escrow.js';
import { contractAddress } from './addresses.js';

export type DeployCall = {
  readonly name: 'deploy_escrow';
  readonly caller: string;
  /** Distinguishes the contracts of several deployments for one engagement. In hex. */
  readonly salt: string;
  readonly properties: EscrowProperties;
};

/** A call of the deployer contract, which deploys an escrow, or of an escrow contract. */
export type ContractCall = { readonly contractId: string; readonly call: DeployCall | EscrowCall };

/** The address of a contract follows from its deployment, so it is known before the deployment lands. */
export function contractIdOf({ caller, salt, properties }: DeployCall): string {
  return contractAddress(hash('sha256', JSON.stringify([caller, properties.engagementId, salt]), 'binary'));
}
