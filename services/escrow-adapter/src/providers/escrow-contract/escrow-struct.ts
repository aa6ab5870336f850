import type { EscrowTerms } from './contract-function.js';
import { address, bool, i128, string, struct, u32, vec, type ExpectedValue } from '@holdfast/ledger-network/expectations';

/** A contract's terms as the contract stores them, before anything has happened. */
export function newEscrow(terms: EscrowTerms): ExpectedValue {
  return terms.type === 'single-release' ? singleRelease(terms) : multiRelease(terms);
}

function singleRelease(terms: EscrowTerms): ExpectedValue {
  return struct({
    ...commonFields(terms),
    amount: i128(terms.amount.units),
    flags: struct({ disputed: bool(false), released: bool(false), resolved: bool(false) }),
    milestones: vec(terms.milestones.map(({ title }) => struct({ ...newMilestone(title), approved: bool(false) }))),
    roles: struct({ ...commonRoles(terms), receiver: address(terms.addresses.seller) }),
  });
}

/** Each milestone has its own amount, receiver and flags. */
function multiRelease(terms: EscrowTerms): ExpectedValue {
  const flags = struct({ approved: bool(false), disputed: bool(false), released: bool(false), resolved: bool(false) });
  const receiver = address(terms.addresses.seller);
  return struct({
    ...commonFields(terms),
    milestones: vec(
      terms.milestones.map(({ title, units }) => struct({ ...newMilestone(title), amount: i128(units), flags, receiver })),
    ),
    roles: struct(commonRoles(terms)),
  });
}

function commonFields({ orderId, title, description, platformFeeBasisPoints, token }: EscrowTerms) {
  return {
    description: string(description),
    engagement_id: string(orderId),
    platform_fee: u32(platformFeeBasisPoints),
    receiver_memo: u32(0),
    title: string(title),
    trustline: struct({ address: address(token) }),
  };
}

/** The buyer approves and releases, the seller delivers and receives, the platform takes its fee and resolves disputes. */
function commonRoles({ addresses: { buyer, seller, platform } }: EscrowTerms) {
  return {
    approver: address(buyer),
    dispute_resolver: address(platform),
    platform: address(platform),
    release_signer: address(buyer),
    service_provider: address(seller),
  };
}

function newMilestone(title: string) {
  return { description: string(title), evidence: string(''), status: string('pending') };
}
