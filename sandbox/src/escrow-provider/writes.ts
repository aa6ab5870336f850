import { randomBytes } from 'node:crypto';
import { StrKey } from '@stellar/stellar-sdk';
import type { z } from 'zod';
import type { ContractCall, DeployCall } from '../contract-calls/contract-call.js';
import { escrowStruct } from '../contract-calls/escrow-struct.js';
import type { FaultOperation } from '../control/fault-kinds.js';
import type { Distribution, Escrow, EscrowCall, EscrowState, EscrowType, Milestone } from '../domain/escrow.js';
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
  const single = writeOf(network, 'single-release');
  const multi = writeOf(network, 'multi-release');
  return [
    ...deployWrites(network),
    ...[single, multi].flatMap((both) => [
      both('fund-escrow', 'fund', requestShapes.fund, ({ signer, amount }, { escrow }) => {
        return { name: 'fund_escrow', caller: signer, expected: escrow, units: amount };
      }),
      both('change-milestone-status', 'complete', requestShapes.changeStatus, (body) => {
        const { serviceProvider: caller, milestoneIndex: index, newStatus: status, newEvidence: evidence } = body;
        return { name: 'change_milestone_status', caller, index, status, evidence };
      }),
      both('approve-milestone', 'approve', requestShapes.approve, ({ approver, milestoneIndex: index }) => {
        return { name: 'approve_milestone', caller: approver, index };
      }),
    ]),
    single('release-funds', 'release', requestShapes.release, ({ releaseSigner }, { feesAddress }) => {
      return { name: 'release_funds', caller: releaseSigner, feesAddress };
    }),
    single('dispute-escrow', 'dispute', requestShapes.dispute, ({ signer }) => ({ name: 'dispute_escrow', caller: signer })),
    single('resolve-dispute', 'resolve', requestShapes.resolve, (body, { feesAddress }) => {
      return { name: 'resolve_dispute', caller: body.disputeResolver, feesAddress, distributions: shares(body) };
    }),
    multi('release-milestone-funds', 'release', requestShapes.releaseMilestone, (body, { feesAddress }) => {
      return { name: 'release_milestone_funds', caller: body.releaseSigner, feesAddress, index: body.milestoneIndex };
    }),
    multi('dispute-milestone', 'dispute', requestShapes.disputeMilestone, ({ signer, milestoneIndex: index }) => {
      return { name: 'dispute_milestone', caller: signer, index };
    }),
    multi('resolve-milestone-dispute', 'resolve', requestShapes.resolveMilestone, (body, { feesAddress }) => {
      const { disputeResolver: caller, milestoneIndex: index } = body;
      return { name: 'resolve_milestone_dispute', caller, index, feesAddress, distributions: shares(body) };
    }),
    multi('withdraw-remaining-funds', 'resolve', requestShapes.resolve, (body, { feesAddress }) => {
      return { name: 'withdraw_remaining_funds', caller: body.disputeResolver, feesAddress, distributions: shares(body) };
    }),
  ];
}

type Called = { readonly escrow: Escrow; readonly feesAddress: string };

/** Endpoints of contracts of one type. */
function writeOf({ store, genesis }: Network, type: EscrowType) {
  return <Body extends { readonly contractId: string }>(
    path: string,
    operation: FaultOperation,
    shape: z.ZodType<Body>,
    toCall: (body: Body, called: Called) => EscrowCall,
  ): Write =>
    write(`/escrow/${type}/${path}`, operation, shape, (body) => {
      const { contractId } = body;
      const escrow = store.find('escrows', contractId);
      if (escrow === undefined) throw contractRefusal(escrowNotFound);
      if (escrow.type !== type) throw contractRefusal(`The escrow is not a ${type} escrow`);
      return { contractId, call: toCall(body, { escrow, feesAddress: genesis.fees.address }) };
    });
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

/** The contract takes a map from addresses, so each address is named once, and the shares have the order of the map. */
function shares({ distributions }: Pick<RequestOf<'resolve'>, 'distributions'>): readonly Distribution[] {
  const isRepeated = new Set(distributions.map(({ address }) => address)).size < distributions.length;
  if (isRepeated) throw contractRefusal('The distributions name an address twice');
  return distributions
    .map(({ address, amount }) => ({ key: StrKey.decodeEd25519PublicKey(address), share: { address, units: amount } }))
    .sort((one, other) => one.key.compare(other.key))
    .map(({ share }) => share);
}
