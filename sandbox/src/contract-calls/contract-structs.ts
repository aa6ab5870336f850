import type { EscrowType } from '../domain/escrow.js';

const flags = { disputed: 'bool', released: 'bool', resolved: 'bool' } as const;
const trustline = { address: 'Address' } as const;

/** The structs of the contracts: the type of each field. On the network a struct is a map in the order of its names. */
export const structs = {
  'single-release': {
    Escrow: {
      amount: 'i128',
      description: 'String',
      engagement_id: 'String',
      flags: 'Flags',
      milestones: 'Vec<Milestone>',
      platform_fee: 'u32',
      receiver_memo: 'u32',
      roles: 'Roles',
      title: 'String',
      trustline: 'Trustline',
    },
    Flags: flags,
    Milestone: { approved: 'bool', description: 'String', evidence: 'String', status: 'String' },
    Roles: {
      approver: 'Address',
      dispute_resolver: 'Address',
      platform: 'Address',
      receiver: 'Address',
      release_signer: 'Address',
      service_provider: 'Address',
    },
    Trustline: trustline,
  },
  'multi-release': {
    Escrow: {
      description: 'String',
      engagement_id: 'String',
      milestones: 'Vec<Milestone>',
      platform_fee: 'u32',
      receiver_memo: 'u32',
      roles: 'Roles',
      title: 'String',
      trustline: 'Trustline',
    },
    Flags: { approved: 'bool', ...flags },
    Milestone: {
      amount: 'i128',
      description: 'String',
      evidence: 'String',
      flags: 'Flags',
      receiver: 'Address',
      status: 'String',
    },
    Roles: {
      approver: 'Address',
      dispute_resolver: 'Address',
      platform: 'Address',
      release_signer: 'Address',
      service_provider: 'Address',
    },
    Trustline: trustline,
  },
} as const satisfies Readonly<Record<EscrowType, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

export type FieldType = 'Address' | 'Flags' | 'Roles' | 'String' | 'Trustline' | 'Vec<Milestone>' | 'bool' | 'i128' | 'u32';
