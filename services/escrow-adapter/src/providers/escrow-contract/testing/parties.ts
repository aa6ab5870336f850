import { Keypair, Networks, StrKey } from '@stellar/stellar-sdk';
import { money } from '@holdfast/kernel/money';
import type { ContractType } from '../../../domain/contract.js';
import type { Step } from '../../../domain/steps.js';
import type { EscrowTerms } from '../contract-function.js';
import { contractVersions } from '../contract-versions.js';
import type { CallExpectation, SigningLimits } from '@holdfast/ledger-network/expectations';
import { expectDeployment, expectStep, type ContractNetwork } from '../expect-call.js';

export const networkPassphrase: string = Networks.TESTNET;
export const addresses = {
  buyer: Keypair.random().publicKey(),
  seller: Keypair.random().publicKey(),
  platform: Keypair.random().publicKey(),
};
export const channel = Keypair.random().publicKey();
export const stranger = Keypair.random().publicKey();
export const feeAddress = Keypair.random().publicKey();
export const contractId = StrKey.encodeContract(Buffer.alloc(32, 1));
/** USDC, factory and code on the test network. */
export const token = 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA';
export const factory = 'CDHBR6AFWLSLZGAQSXGYRBUEMZHV4AYHH7EAXVOU5VKOV3P5LSERR37D';
export const wasmHash = '7c3f7b2af92ad86092708b23babf80f9e1308d7f3ce18b703b9499192ecc934b';
export const otherContract = StrKey.encodeContract(Buffer.alloc(32, 4));

export const limits: SigningLimits = { at: '2026-11-16T07:00:00.000000Z', validForMsMax: 300_000 };
export const nowSeconds = Date.parse('2026-11-16T07:00:00Z') / 1_000;

export const variants = ['v1', 'v1-mainnet'] as const;
export type Variant = (typeof variants)[number];

export function networkOf(variant: Variant): ContractNetwork {
  const code = { factory, wasmHash, feeAddress };
  return {
    networkPassphrase,
    versions: {
      'single-release': { functions: contractVersions[`single-${variant}`], code },
      'multi-release': { functions: contractVersions[`multi-${variant}`], code },
    },
  };
}

export function termsOf(type: ContractType): EscrowTerms {
  return {
    type,
    orderId: 'ord_1',
    title: 'A logo',
    description: 'Drafts and the final logo für Zoë',
    amount: money(1_000_000_000n, 'USDC'),
    platformFeeBasisPoints: 500,
    milestones: [
      { ref: 'a', title: 'Drafts', units: 400_000_000n },
      { ref: 'b', title: 'Logo', units: 600_000_000n },
    ],
    addresses,
    token,
  };
}

export const operations = [
  'deploy',
  'fund',
  'complete',
  'approve',
  'release',
  'dispute',
  'resolve',
  'withdrawRemaining',
] as const;
export type Operation = (typeof operations)[number];

export type SigningCase = { readonly type: ContractType; readonly variant: Variant; readonly operation: Operation };

/** One case for each contract version and each function that it can sign. */
export const signingCases: readonly SigningCase[] = (['single-release', 'multi-release'] as const).flatMap((type) =>
  variants.flatMap((variant) => operations.map((operation) => ({ type, variant, operation }))),
);

const payouts: readonly Operation[] = ['release', 'resolve', 'withdrawRemaining'];

/** One case for each function: the mainnet versions differ in their payouts. */
export const functionCases = signingCases.filter(({ variant, operation }) => variant === 'v1' || payouts.includes(operation));

const milestone = { index: 1 };

/** The requested step of a case: on the second milestone where the contract has steps of milestones. */
function stepOf({ type, operation }: SigningCase): Step | undefined {
  const place = type === 'multi-release' ? milestone : {};
  switch (operation) {
    case 'deploy':
      return undefined;
    case 'fund':
      return { does: 'fund', units: 1_000_000_000n };
    case 'complete':
    case 'approve':
      return { does: operation, ...milestone };
    case 'release':
    case 'dispute':
      return { does: operation, ...place };
    case 'resolve':
      return {
        does: 'resolve',
        ...place,
        distributions: [
          { to: 'seller', units: 250_000_000n },
          { to: 'buyer', units: 350_000_000n },
        ],
      };
    case 'withdrawRemaining':
      return { does: operation, distributions: [{ to: 'platform', units: 50_000_000n }] };
  }
}

export function expectationOf(signingCase: SigningCase): CallExpectation {
  const network = networkOf(signingCase.variant);
  const terms = termsOf(signingCase.type);
  const step = stepOf(signingCase);
  return step === undefined ? expectDeployment(network, terms) : expectStep(network, { terms, contractId, payer: channel }, step);
}
