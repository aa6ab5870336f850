import { StrKey } from '@stellar/stellar-sdk';
import type { z } from 'zod';
import { choiceSetting, durationMsSetting, textSetting } from '@holdfast/process/config';
import type { ContractNetwork } from './expectation.js';
import { contractLines } from './contract-lines.js';

const factory = (type: string) =>
  textSetting({
    description: `The contract that deploys ${type} escrows`,
    form: { expected: 'the address of a contract (C…)', isMet: (text) => StrKey.isValidContract(text) },
  });
const wasmHash = (type: string) =>
  textSetting({
    description: `The hash of the code of ${type} escrows`,
    form: { expected: 'a SHA-256 hash of 64 hex digits in lower case', isMet: (text) => /^[0-9a-f]{64}$/.test(text) },
  });

/** The contracts that this service signs for. Everything else is refused. */
export const contractSettings = {
  ESCROW_LINE_SINGLE: choiceSetting(['single-v1', 'single-v1-mainnet'], {
    description: 'The version of the single-release contracts: their functions and arguments',
    default: 'single-v1',
  }),
  ESCROW_LINE_MULTI: choiceSetting(['multi-v1', 'multi-v1-mainnet'], {
    description: 'The version of the multi-release contracts: their functions and arguments',
    default: 'multi-v1',
  }),
  ESCROW_FACTORY_SINGLE: factory('single-release'),
  ESCROW_FACTORY_MULTI: factory('multi-release'),
  ESCROW_WASM_HASH_SINGLE: wasmHash('single-release'),
  ESCROW_WASM_HASH_MULTI: wasmHash('multi-release'),
  ESCROW_FEE_ADDRESS: textSetting({
    description: "The account that gets the escrow provider's fee",
    form: { expected: 'the address of an account (G…)', isMet: (text) => StrKey.isValidEd25519PublicKey(text) },
  }),
  ESCROW_VALID_MS_MAX: durationMsSetting({
    description: 'How long a transaction may be valid to be signed',
    default: 600_000,
    min: 1_000,
  }),
};

export type ContractSettings = z.output<z.ZodObject<typeof contractSettings>>;

export function contractNetworkOf(config: ContractSettings & { readonly LEDGER_NETWORK_PASSPHRASE: string }): ContractNetwork {
  const feeAddress = config.ESCROW_FEE_ADDRESS;
  return {
    networkPassphrase: config.LEDGER_NETWORK_PASSPHRASE,
    lines: {
      'single-release': {
        functions: contractLines[config.ESCROW_LINE_SINGLE],
        code: { factory: config.ESCROW_FACTORY_SINGLE, wasmHash: config.ESCROW_WASM_HASH_SINGLE, feeAddress },
      },
      'multi-release': {
        functions: contractLines[config.ESCROW_LINE_MULTI],
        code: { factory: config.ESCROW_FACTORY_MULTI, wasmHash: config.ESCROW_WASM_HASH_MULTI, feeAddress },
      },
    },
  };
}
