import type { xdr } from '@stellar/stellar-sdk';
import { z } from 'zod';
import type { ContractType } from '../../domain/contract.js';
import { isDelivered, noFlags, type StoredEscrow } from '../../domain/stored-escrow.js';
import { plainValue } from '@holdfast/ledger-network/rpc';

const flags = z.strictObject({ disputed: z.boolean(), released: z.boolean(), resolved: z.boolean() });

const roles = {
  approver: z.string(),
  dispute_resolver: z.string(),
  platform: z.string(),
  release_signer: z.string(),
  service_provider: z.string(),
};

const milestone = { description: z.string(), evidence: z.string(), status: z.string() };

const common = {
  description: z.string(),
  engagement_id: z.string(),
  platform_fee: z.number(),
  receiver_memo: z.number(),
  title: z.string(),
  trustline: z.strictObject({ address: z.string() }),
};

const singleRelease = z.strictObject({
  ...common,
  amount: z.bigint(),
  flags,
  milestones: z.array(z.strictObject({ ...milestone, approved: z.boolean() })),
  roles: z.strictObject({ ...roles, receiver: z.string() }),
});

const multiRelease = z.strictObject({
  ...common,
  milestones: z.array(
    z.strictObject({
      ...milestone,
      amount: z.bigint(),
      flags: flags.extend({ approved: z.boolean() }),
      receiver: z.string(),
    }),
  ),
  roles: z.strictObject(roles),
});

/** Parses the struct that a contract stores. Throws if it has other fields, or fields of another type. */
export function parseEscrow(type: ContractType, stored: xdr.ScVal): StoredEscrow {
  const plain = plainValue(stored);
  return type === 'single-release' ? fromSingle(singleRelease.parse(plain)) : fromMulti(multiRelease.parse(plain));
}

function fromSingle(stored: z.output<typeof singleRelease>): StoredEscrow {
  const { amount: units, milestones } = stored;
  return {
    terms: {
      ...commonTerms(stored),
      receiver: stored.roles.receiver,
      units,
      milestones: milestones.map(({ description }) => ({ description })),
    },
    state: {
      ...stateOf(stored.flags),
      milestones: milestones.map(({ approved, status }) => ({
        ...noFlags,
        isCompleted: isDelivered(status),
        isApproved: approved,
      })),
    },
  };
}

function fromMulti(stored: z.output<typeof multiRelease>): StoredEscrow {
  const { milestones } = stored;
  return {
    terms: {
      ...commonTerms(stored),
      milestones: milestones.map(({ description, receiver, amount: units }) => ({ description, receiver, units })),
    },
    state: {
      ...noFlags,
      milestones: milestones.map(({ status, flags: of }) => ({
        ...stateOf(of),
        isCompleted: isDelivered(status),
        isApproved: of.approved,
      })),
    },
  };
}

type Stored = z.output<typeof singleRelease> | z.output<typeof multiRelease>;

function commonTerms(stored: Stored) {
  return {
    engagementId: stored.engagement_id,
    title: stored.title,
    description: stored.description,
    platformFeeBasisPoints: stored.platform_fee,
    receiverMemo: stored.receiver_memo,
    token: stored.trustline.address,
    approver: stored.roles.approver,
    serviceProvider: stored.roles.service_provider,
    releaseSigner: stored.roles.release_signer,
    disputeResolver: stored.roles.dispute_resolver,
    platform: stored.roles.platform,
  };
}

function stateOf({ disputed, released, resolved }: z.output<typeof flags>) {
  return { isDisputed: disputed, isReleased: released, isResolved: resolved };
}
