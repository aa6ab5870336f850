import { contract, type xdr } from '@stellar/stellar-sdk';
import { money } from '@holdfast/kernel/money';
import type { ContractType } from '../../domain/contract.js';
import type { ContractCode, ResolutionCall } from './contract-function.js';
import type { ContractFunctions } from './contract-versions.js';
import type { ExpectedArguments } from '@holdfast/ledger-network/expectations';

export type ContractVersion = { readonly functions: ContractFunctions; readonly code: ContractCode };

/**
 * How the functions in the code of a contract differ from the version that this service signs for; undefined if they do not. Functions that
 * the service does not call are not compared.
 */
export function specMismatch(type: ContractType, { functions, code }: ContractVersion, wasm: Buffer): string | undefined {
  const found = new Map(
    contract.Spec.fromWasm(wasm)
      .funcs()
      .map((of) => [of.name().toString(), of.inputs()]),
  );
  const call = anyCall(type, code);
  for (const { name, args } of Object.values(functions)) {
    const mismatch = compareFunction(name, args(call), found.get(name));
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

function compareFunction(
  name: string,
  expected: ExpectedArguments,
  inputs: readonly xdr.ScSpecFunctionInputV0[] | undefined,
): string | undefined {
  if (inputs === undefined) return `the function ${name} is missing`;
  const names = expected.map(([argument]) => argument).join(', ');
  const foundNames = inputs.map((input) => input.name().toString()).join(', ');
  if (names !== foundNames) return `${name} takes (${foundNames}) instead of (${names})`;
  for (const [index, [argument, { type }]] of expected.entries()) {
    const input = inputs[index]?.type();
    if (input !== undefined && !wireTypesOf(input).includes(type)) return `${argument} of ${name} is ${input.switch().name}`;
  }
  return undefined;
}

type WireType = xdr.ScValType['name'];

/** The wire types that are not named like the type in the code. A struct is a map, an optional value may be void. */
const otherTypes: Readonly<Record<string, readonly WireType[]>> = {
  scSpecTypeBytesN: ['scvBytes'],
  scSpecTypeUdt: ['scvMap'],
};

function wireTypesOf(type: xdr.ScSpecTypeDef): readonly string[] {
  const { name } = type.switch();
  if (name === 'scSpecTypeOption') return ['scvVoid', ...wireTypesOf(type.option().valueType())];
  return otherTypes[name] ?? [name.replace('scSpecType', 'scv')];
}

/** The names and types of a function's arguments are the same for every call. */
function anyCall(type: ContractType, code: ContractCode): ResolutionCall & { readonly units: bigint } {
  const signer = code.feeAddress;
  const escrow = {
    type,
    orderId: 'ord_any' as const,
    title: '',
    description: '',
    amount: money(1n, 'USDC'),
    platformFeeBasisPoints: 0,
    milestones: [{ ref: '', title: '', units: 1n }],
    addresses: { buyer: signer, seller: signer, platform: signer },
    token: code.factory,
  };
  return { code, escrow, signer, contractId: code.factory, index: 0, units: 1n, distributions: [{ to: 'seller', units: 1n }] };
}
