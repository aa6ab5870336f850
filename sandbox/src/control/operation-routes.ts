import { StrKey } from '@stellar/stellar-sdk';
import { z } from 'zod';
import { strangerOperations, type Stranger } from '../ledger-network/stranger.js';
import type { Route } from '../web/route.js';
import { amount, landedResponse, withParsedBody } from './bodies.js';

type Type = (typeof strangerOperations)[number];

const takesMuxed: readonly Type[] = [
  'payment',
  'path_payment_strict_send',
  'path_payment_strict_receive',
  'account_merge',
  'clawback',
  'contract_transfer',
];
const takesContracts: readonly Type[] = ['contract_transfer', 'contract_mint'];
const assetsOf = (type: Type): readonly string[] => {
  if (type === 'account_merge') return ['XLM'];
  return type.includes('clawback') || type === 'contract_mint' || type === 'contract_burn' ? ['USDC'] : ['XLM', 'USDC'];
};

const request = z
  .strictObject({
    type: z.enum(strangerOperations),
    address: z.string().default(''),
    asset: z.enum(['XLM', 'USDC']),
    amount,
  })
  .refine(({ type, address }) => isAddressOf(type, address), { path: ['address'], message: 'must be an address for this type' })
  .refine(({ type, asset }) => assetsOf(type).includes(asset), { path: ['asset'], message: 'is not possible for this type' });

function isAddressOf(type: Type, address: string): boolean {
  if (type === 'contract_burn') return address === '';
  if (takesMuxed.includes(type) && StrKey.isValidMed25519PublicKey(address)) return true;
  if (takesContracts.includes(type) && StrKey.isValidContract(address)) return true;
  return StrKey.isValidEd25519PublicKey(address);
}

/** Operations of a stranger, as real transactions. */
export function operationRoutes(stranger: Stranger, path: string): readonly Route[] {
  return [
    {
      method: 'POST',
      path: `${path}/operations`,
      handler: (given) =>
        withParsedBody(request, given, ({ amount: units, ...operation }) =>
          landedResponse(() => stranger({ ...operation, units })),
        ),
    },
  ];
}
