import { Keypair, MuxedAccount, Account, StrKey } from '@stellar/stellar-sdk';

/** Records of Horizon's lists, as public nodes send them. */
export const usdcIssuer = Keypair.random().publicKey();
export const stranger = Keypair.random().publicKey();
export const wallet = Keypair.random().publicKey();
export const contract = StrKey.encodeContract(Buffer.alloc(32, 7));
export const muxedWallet = new MuxedAccount(new Account(wallet, '0'), '77').accountId();

export const outerHash = 'a'.repeat(64);
export const innerHash = 'b'.repeat(64);

export const usdc = { asset_type: 'credit_alphanum4', asset_code: 'USDC', asset_issuer: usdcIssuer };
export const xlm = { asset_type: 'native' };

/** A record of an operations list that is joined with its transaction. */
export function aRecord(type: string, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return {
    _links: { self: { href: 'https://horizon.example/operations/12' } },
    id: '12884905985',
    paging_token: '12884905985',
    transaction_successful: true,
    source_account: stranger,
    type,
    created_at: '2026-01-31T12:00:05Z',
    transaction_hash: outerHash,
    transaction: { hash: outerHash, successful: true, fee_account: stranger, fee_charged: '100', memo_type: 'none' },
    ...fields,
  };
}

export function aPaymentRecord(fields: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return aRecord('payment', { ...usdc, from: stranger, to: wallet, amount: '5.0000001', ...fields });
}
