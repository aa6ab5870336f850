import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { ContractCall } from '../contract-calls/contract-call.js';
import type { FaultOperation } from '../control/faults.js';
import type { EscrowCall, EscrowType } from '../domain/escrow.js';
import { contractRefusal } from '../domain/operation-failure.js';
import type { Network } from '../ledger-network/network.js';
import { requestShapes, type RequestOf } from './request-shapes.js';
import { createTokenNames, type TokenNames } from './token-names.js';

/** A writing endpoint: its operation for faults, and the parser from its body to a call. */
export type Write = {
  readonly path: string;
  readonly operation: FaultOperation;
  readonly read: (body: unknown) => ContractCall | { readonly faults: z.ZodError };
};

export function escrowWrites(network: Network): readonly Write[] {
  const both = (type: EscrowType): readonly Write[] => {
    const on = (contractId: string, call: EscrowCall): ContractCall => onEscrow(network, type, contractId, call);
    return [
      write(`/escrow/${type}/fund-escrow`, 'fund', requestShapes.fund, ({ contractId, signer, amount }) =>
        on(contractId, { name: 'fund_escrow', caller: signer, units: amount }),
      ),
      write(`/escrow/${type}/change-milestone-status`, 'complete', requestShapes.changeStatus, (body) =>
        on(body.contractId, {
          name: 'change_milestone_status',
          caller: body.serviceProvider,
          index: body.milestoneIndex,
          status: body.newStatus,
          evidence: body.newEvidence ?? '',
        }),
      ),
      write(`/escrow/${type}/approve-milestone`, 'approve', requestShapes.approve, ({ contractId, approver, milestoneIndex }) =>
        on(contractId, { name: 'approve_milestone', caller: approver, index: milestoneIndex }),
      ),
    ];
  };
  return [
    ...deployWrites(network),
    ...both('single-release'),
    ...both('multi-release'),
    ...singleWrites(network),
    ...multiWrites(network),
  ];
}

function deployWrites(network: Network): readonly Write[] {
  const { deployerContractId: contractId } = network.genesis;
  const assetOf = createTokenNames(network);
  return [
    write('/deployer/single-release', 'deploy', requestShapes.deploySingle, (body) => ({
      contractId,
      call: {
        ...deployCall(body.signer),
        properties: {
          ...common(assetOf, body),
          type: 'single-release',
          roles: body.roles,
          units: body.amount,
          milestones: body.milestones,
        },
      },
    })),
    write('/deployer/multi-release', 'deploy', requestShapes.deployMulti, (body) => {
      const milestones = body.milestones.map(({ amount: units, ...milestone }) => ({ ...milestone, units }));
      const units = milestones.reduce((total, milestone) => total + milestone.units, 0n);
      return {
        contractId,
        call: {
          ...deployCall(body.signer),
          properties: { ...common(assetOf, body), type: 'multi-release', roles: body.roles, units, milestones },
        },
      };
    }),
  ];
}

function singleWrites(network: Network): readonly Write[] {
  const on = (contractId: string, call: EscrowCall): ContractCall => onEscrow(network, 'single-release', contractId, call);
  return [
    write('/escrow/single-release/release-funds', 'release', requestShapes.release, ({ contractId, releaseSigner }) =>
      on(contractId, { name: 'release_funds', caller: releaseSigner }),
    ),
    write('/escrow/single-release/dispute-escrow', 'dispute', requestShapes.dispute, ({ contractId, signer }) =>
      on(contractId, { name: 'dispute_escrow', caller: signer }),
    ),
    write('/escrow/single-release/resolve-dispute', 'resolve', requestShapes.resolve, (body) =>
      on(body.contractId, { name: 'resolve_dispute', caller: body.disputeResolver, distributions: shares(body) }),
    ),
  ];
}

function multiWrites(network: Network): readonly Write[] {
  const on = (contractId: string, call: EscrowCall): ContractCall => onEscrow(network, 'multi-release', contractId, call);
  return [
    write('/escrow/multi-release/release-milestone-funds', 'release', requestShapes.releaseMilestone, (body) =>
      on(body.contractId, { name: 'release_milestone_funds', caller: body.releaseSigner, index: body.milestoneIndex }),
    ),
    write('/escrow/multi-release/dispute-milestone', 'dispute', requestShapes.disputeMilestone, (body) =>
      on(body.contractId, { name: 'dispute_milestone', caller: body.signer, index: body.milestoneIndex }),
    ),
    write('/escrow/multi-release/resolve-milestone-dispute', 'resolve', requestShapes.resolveMilestone, (body) =>
      on(body.contractId, {
        name: 'resolve_milestone_dispute',
        caller: body.disputeResolver,
        index: body.milestoneIndex,
        distributions: shares(body),
      }),
    ),
    write('/escrow/multi-release/withdraw-remaining-funds', 'resolve', requestShapes.resolve, (body) =>
      on(body.contractId, { name: 'withdraw_remaining_funds', caller: body.disputeResolver, distributions: shares(body) }),
    ),
  ];
}

/** Binds a path to the schema of its body, so that the call contains parsed values only. */
function write<Schema extends z.ZodType>(
  path: string,
  operation: FaultOperation,
  shape: Schema,
  toCall: (body: z.output<Schema>) => ContractCall,
): Write {
  const read = (body: unknown): ContractCall | { readonly faults: z.ZodError } => {
    const parsed = shape.safeParse(body);
    return parsed.success ? toCall(parsed.data) : { faults: parsed.error };
  };
  return { path, operation, read };
}

function onEscrow({ store }: Network, type: EscrowType, contractId: string, call: EscrowCall): ContractCall {
  const escrow = store.find('escrows', contractId);
  if (escrow !== undefined && escrow.type !== type) throw contractRefusal(`The escrow is not a ${type} escrow`);
  return { contractId, call };
}

function deployCall(caller: string) {
  return { name: 'deploy_escrow', caller, salt: randomUUID().replaceAll('-', '') } as const;
}

type Deployment = RequestOf<'deploySingle'> | RequestOf<'deployMulti'>;

function common(assetOf: TokenNames, { engagementId, title, description, platformFee, trustline }: Deployment) {
  return { engagementId, title, description, platformFeeBasisPoints: platformFee, asset: assetOf(trustline) };
}

function shares({ distributions }: Pick<RequestOf<'resolve'>, 'distributions'>) {
  return distributions.map(({ address, amount: units }) => ({ address, units }));
}
