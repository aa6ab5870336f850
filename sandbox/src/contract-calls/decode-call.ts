import { scValToBigInt, xdr } from '@stellar/stellar-sdk';
import { z } from 'zod';
import { fromScAddress } from './addresses.js';
import { parseProperties } from './properties-text.js';
import type { ContractCall } from './contract-call.js';

const milestoneIndex = z.number().int().nonnegative();
const distributions = z
  .array(z.tuple([z.string(), z.bigint()]))
  .transform((entries) => entries.map(([address, units]) => ({ address, units })));

/** The arguments of each function; the first one is always the caller. */
const functions = {
  deploy_escrow: z.tuple([z.string(), z.instanceof(Uint8Array), z.string()]).transform(([caller, salt, text], context) => {
    const properties = parseProperties(text);
    if (properties !== undefined) {
      return { name: 'deploy_escrow' as const, caller, salt: Buffer.from(salt).toString('hex'), properties };
    }
    context.addIssue({ code: 'custom', message: 'the properties cannot be parsed' });
    return z.NEVER;
  }),
  fund_escrow: z
    .tuple([z.string(), z.bigint()])
    .transform(([caller, units]) => ({ name: 'fund_escrow' as const, caller, units })),
  change_milestone_status: z
    .tuple([z.string(), milestoneIndex, z.string(), z.string()])
    .transform(([caller, index, status, evidence]) => ({
      name: 'change_milestone_status' as const,
      caller,
      index,
      status,
      evidence,
    })),
  approve_milestone: atMilestone('approve_milestone'),
  release_milestone_funds: atMilestone('release_milestone_funds'),
  dispute_milestone: atMilestone('dispute_milestone'),
  release_funds: z.tuple([z.string()]).transform(([caller]) => ({ name: 'release_funds' as const, caller })),
  dispute_escrow: z.tuple([z.string()]).transform(([caller]) => ({ name: 'dispute_escrow' as const, caller })),
  resolve_dispute: distributing('resolve_dispute'),
  withdraw_remaining_funds: distributing('withdraw_remaining_funds'),
  resolve_milestone_dispute: z.tuple([z.string(), milestoneIndex, distributions]).transform(([caller, index, entries]) => ({
    name: 'resolve_milestone_dispute' as const,
    caller,
    index,
    distributions: entries,
  })),
};

function atMilestone<Name extends string>(name: Name) {
  return z.tuple([z.string(), milestoneIndex]).transform(([caller, index]) => ({ name, caller, index }));
}

function distributing<Name extends string>(name: Name) {
  return z.tuple([z.string(), distributions]).transform(([caller, entries]) => ({ name, caller, distributions: entries }));
}

/** Decodes a call in a submitted envelope; undefined when no contract has such a function. */
export function decodeCall(contractId: string, name: string, values: readonly xdr.ScVal[]): ContractCall | undefined {
  if (!isFunctionName(name)) return undefined;
  const parsed = functions[name].safeParse(values.map(nativeValue));
  return parsed.success ? { contractId, call: parsed.data } : undefined;
}

/** Converts the value types that calls use; undefined for any other type. */
function nativeValue(value: xdr.ScVal): unknown {
  switch (value.switch()) {
    case xdr.ScValType.scvAddress():
      return fromScAddress(value.address());
    case xdr.ScValType.scvI128():
      return scValToBigInt(value);
    case xdr.ScValType.scvU32():
      return value.u32();
    case xdr.ScValType.scvString():
      return value.str().toString();
    case xdr.ScValType.scvBytes():
      return value.bytes();
    case xdr.ScValType.scvVec():
      return (value.vec() ?? []).map(nativeValue);
    default:
      return undefined;
  }
}

function isFunctionName(name: string): name is keyof typeof functions {
  return Object.hasOwn(functions, name);
}
