import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { ContractCall, DeployCall } from '../contract-calls/contract-call.js';
import { escrowStruct } from '../contract-calls/escrow-struct.js';
import type { FaultOperation } from '../control/fault-kinds.js';
import type { Distribution, EscrowCall, EscrowState, EscrowType, Milestone } from '../domain/escrow.js';
import { contractRefusal, escrowNotFound } from '../domain/operation-failure.js';
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
        on(contractId, { name: 'fund_escrow', caller: signer, expected: storedStruct(network, contractId), units: amount }),
      ),
      write(`/escrow/${type}/change-milestone-status`, 'complete', requestShapes.changeStatus, (body) =>
        on(body.contractId, {
          name: 'change_milestone_status',
          caller: body.serviceProvider,
          index: body.milestoneIndex,
          status: body.newStatus,
          evidence: body.newEvidence,
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
  const tokenOf = createTokenNames(network);
  return [
    write('/deployer/single-release', 'deploy', requestShapes.deploySingle, (body) =>
      deployment(network, body.signer, {
        ...common(tokenOf, body),
        type: 'single-release',
        roles: body.roles,
        units: body.amount,
        milestones: body.milestones.map(newMilestone),
      }),
    ),
    write('/deployer/multi-release', 'deploy', requestShapes.deployMulti, (body) =>
      deployment(network, body.signer, {
        ...common(tokenOf, body),
        type: 'multi-release',
        roles: body.roles,
        units: body.milestones.reduce((total, { amount }) => total + amount, 0n),
        milestones: body.milestones.map(({ amount: units, ...milestone }) => newMilestone({ ...milestone, units })),
      }),
    ),
  ];
}

function singleWrites(network: Network): readonly Write[] {
  const on = (contractId: string, call: EscrowCall): ContractCall => onEscrow(network, 'single-release', contractId, call);
  const feesAddress = network.genesis.fees.address;
  return [
    write('/escrow/single-release/release-funds', 'release', requestShapes.release, ({ contractId, releaseSigner }) =>
      on(contractId, { name: 'release_funds', caller: releaseSigner, feesAddress }),
    ),
    write('/escrow/single-release/dispute-escrow', 'dispute', requestShapes.dispute, ({ contractId, signer }) =>
      on(contractId, { name: 'dispute_escrow', caller: signer }),
    ),
    write('/escrow/single-release/resolve-dispute', 'resolve', requestShapes.resolve, (body) =>
      on(body.contractId, { name: 'resolve_dispute', caller: body.disputeResolver, feesAddress, distributions: shares(body) }),
    ),
  ];
}

function multiWrites(network: Network): readonly Write[] {
  const on = (contractId: string, call: EscrowCall): ContractCall => onEscrow(network, 'multi-release', contractId, call);
  const feesAddress = network.genesis.fees.address;
  return [
    write('/escrow/multi-release/release-milestone-funds', 'release', requestShapes.releaseMilestone, (body) =>
      on(body.contractId, {
        name: 'release_milestone_funds',
        caller: body.releaseSigner,
        feesAddress,
        index: body.milestoneIndex,
      }),
    ),
    write('/escrow/multi-release/dispute-milestone', 'dispute', requestShapes.disputeMilestone, (body) =>
      on(body.contractId, { name: 'dispute_milestone', caller: body.signer, index: body.milestoneIndex }),
    ),
    write('/escrow/multi-release/resolve-milestone-dispute', 'resolve', requestShapes.resolveMilestone, (body) =>
      on(body.contractId, {
        name: 'resolve_milestone_dispute',
        caller: body.disputeResolver,
        index: body.milestoneIndex,
        feesAddress,
        distributions: shares(body),
      }),
    ),
    write('/escrow/multi-release/withdraw-remaining-funds', 'resolve', requestShapes.resolve, (body) =>
      on(body.contractId, {
        name: 'withdraw_remaining_funds',
        caller: body.disputeResolver,
        feesAddress,
        distributions: shares(body),
      }),
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
  if (escrow === undefined) throw contractRefusal(escrowNotFound);
  if (escrow.type !== type) throw contractRefusal(`The escrow is not a ${type} escrow`);
  return { contractId, call };
}

/** The struct of the contract as it is now, in the encoding of `expected`. */
function storedStruct({ store }: Network, contractId: string): string {
  const escrow = store.find('escrows', contractId);
  if (escrow === undefined) throw contractRefusal(escrowNotFound);
  return escrowStruct(escrow).toXDR('base64');
}

const deployNames: Readonly<Record<EscrowType, DeployCall['name']>> = {
  'single-release': 'tw_new_single_release_escrow',
  'multi-release': 'tw_new_multi_release_escrow',
};

const saltBytes = 32;

function deployment({ genesis }: Network, caller: string, state: EscrowState): ContractCall {
  const { factory, wasmHash } = genesis.contracts[state.type];
  return {
    contractId: factory,
    call: {
      name: deployNames[state.type],
      caller,
      wasmHash,
      salt: randomBytes(saltBytes).toString('hex'),
      initFunction: 'initialize_escrow',
      initArguments: [escrowStruct(state)],
      constructorArguments: [],
    },
  };
}

type Deployment = RequestOf<'deploySingle'> | RequestOf<'deployMulti'>;

function common(tokenOf: TokenNames, { engagementId, title, description, platformFee, trustline }: Deployment) {
  const flags = { disputed: false, released: false, resolved: false };
  const token = tokenOf(trustline);
  return { engagementId, title, description, platformFeeBasisPoints: platformFee, receiverMemo: 0, flags, token };
}

function newMilestone(given: Pick<Milestone, 'description' | 'units' | 'receiver'>): Milestone {
  const flags = { approved: false, disputed: false, released: false, resolved: false };
  return { ...given, status: 'pending', evidence: '', flags };
}

/** The contract takes a map from addresses, so an address can be named once only. */
function shares({ distributions }: Pick<RequestOf<'resolve'>, 'distributions'>): readonly Distribution[] {
  const isRepeated = new Set(distributions.map(({ address }) => address)).size < distributions.length;
  if (isRepeated) throw contractRefusal('The distributions name an address twice');
  return distributions.map(({ address, amount: units }) => ({ address, units }));
}
