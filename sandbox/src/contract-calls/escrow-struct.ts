import type { xdr } from '@stellar/stellar-sdk';
import type { Escrow, EscrowRoles, EscrowState, EscrowType, Milestone } from '../domain/escrow.js';
import { structs } from './contract-structs.js';
import * as wire from './wire-values.js';

/** The struct that a contract stores, as a value of the network. */
export function escrowStruct(escrow: EscrowState): xdr.ScVal {
  const isSingle = escrow.type === 'single-release';
  return wire.struct({
    ...(isSingle ? { amount: wire.i128(escrow.units), flags: flagsStruct(escrow.flags) } : {}),
    description: wire.string(escrow.description),
    engagement_id: wire.string(escrow.engagementId),
    milestones: wire.vec(escrow.milestones.map(isSingle ? singleMilestone : multiMilestone)),
    platform_fee: wire.u32(Number(escrow.platformFeeBasisPoints)),
    receiver_memo: wire.u32(escrow.receiverMemo),
    roles: rolesStruct(escrow.roles),
    title: wire.string(escrow.title),
    trustline: wire.struct({ address: wire.address(escrow.token) }),
  });
}

function flagsStruct({ disputed, released, resolved }: Escrow['flags']): xdr.ScVal {
  return wire.struct({ disputed: wire.bool(disputed), released: wire.bool(released), resolved: wire.bool(resolved) });
}

function rolesStruct({ receiver, ...roles }: EscrowRoles): xdr.ScVal {
  return wire.struct({
    approver: wire.address(roles.approver),
    dispute_resolver: wire.address(roles.disputeResolver),
    platform: wire.address(roles.platformAddress),
    ...(receiver === undefined ? {} : { receiver: wire.address(receiver) }),
    release_signer: wire.address(roles.releaseSigner),
    service_provider: wire.address(roles.serviceProvider),
  });
}

function singleMilestone({ description, evidence, flags, status }: Milestone): xdr.ScVal {
  return wire.struct({
    approved: wire.bool(flags.approved),
    description: wire.string(description),
    evidence: wire.string(evidence),
    status: wire.string(status),
  });
}

function multiMilestone({ description, evidence, flags, receiver = '', status, units = 0n }: Milestone): xdr.ScVal {
  return wire.struct({
    amount: wire.i128(units),
    description: wire.string(description),
    evidence: wire.string(evidence),
    flags: wire.struct({
      approved: wire.bool(flags.approved),
      disputed: wire.bool(flags.disputed),
      released: wire.bool(flags.released),
      resolved: wire.bool(flags.resolved),
    }),
    receiver: wire.address(receiver),
    status: wire.string(status),
  });
}

const noFlags = { disputed: false, released: false, resolved: false } as const;

/** Reads the struct strictly, or throws the host's refusal. */
export function readEscrow(type: EscrowType, value: xdr.ScVal): EscrowState {
  const isSingle = type === 'single-release';
  const field = wire.readStruct(value, Object.keys(structs[type].Escrow));
  const milestones = wire.readVec(field('milestones')).map(isSingle ? readSingleMilestone : readMultiMilestone);
  const total = milestones.reduce((sum, { units = 0n }) => sum + units, 0n);
  return {
    type,
    description: wire.readString(field('description')),
    engagementId: wire.readString(field('engagement_id')),
    title: wire.readString(field('title')),
    units: isSingle ? wire.readI128(field('amount')) : total,
    flags: isSingle ? readFlags(field('flags')) : noFlags,
    milestones,
    platformFeeBasisPoints: BigInt(wire.readU32(field('platform_fee'))),
    receiverMemo: wire.readU32(field('receiver_memo')),
    roles: readRoles(type, field('roles')),
    token: wire.readAddress(wire.readStruct(field('trustline'), Object.keys(structs[type].Trustline))('address')),
  };
}

function readFlags(value: xdr.ScVal): Escrow['flags'] {
  const field = wire.readStruct(value, Object.keys(structs['single-release'].Flags));
  return {
    disputed: wire.readBool(field('disputed')),
    released: wire.readBool(field('released')),
    resolved: wire.readBool(field('resolved')),
  };
}

function readRoles(type: EscrowType, value: xdr.ScVal): EscrowRoles {
  const field = wire.readStruct(value, Object.keys(structs[type].Roles));
  return {
    approver: wire.readAddress(field('approver')),
    disputeResolver: wire.readAddress(field('dispute_resolver')),
    platformAddress: wire.readAddress(field('platform')),
    releaseSigner: wire.readAddress(field('release_signer')),
    serviceProvider: wire.readAddress(field('service_provider')),
    ...(type === 'single-release' ? { receiver: wire.readAddress(field('receiver')) } : {}),
  };
}

function readSingleMilestone(value: xdr.ScVal): Milestone {
  const field = wire.readStruct(value, Object.keys(structs['single-release'].Milestone));
  return { ...readTexts(field), flags: { ...noFlags, approved: wire.readBool(field('approved')) } };
}

function readMultiMilestone(value: xdr.ScVal): Milestone {
  const field = wire.readStruct(value, Object.keys(structs['multi-release'].Milestone));
  const flag = wire.readStruct(field('flags'), Object.keys(structs['multi-release'].Flags));
  return {
    ...readTexts(field),
    units: wire.readI128(field('amount')),
    receiver: wire.readAddress(field('receiver')),
    flags: {
      approved: wire.readBool(flag('approved')),
      disputed: wire.readBool(flag('disputed')),
      released: wire.readBool(flag('released')),
      resolved: wire.readBool(flag('resolved')),
    },
  };
}

function readTexts(field: (name: string) => xdr.ScVal) {
  return {
    description: wire.readString(field('description')),
    evidence: wire.readString(field('evidence')),
    status: wire.readString(field('status')),
  };
}
