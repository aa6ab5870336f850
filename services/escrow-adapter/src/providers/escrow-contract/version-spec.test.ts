import { xdr } from '@stellar/stellar-sdk';
import { specMismatch } from './version-spec.js';
import { networkOf } from './testing/parties.js';

const { ScSpecTypeDef } = xdr;
const udt = ScSpecTypeDef.scSpecTypeUdt(new xdr.ScSpecTypeUdt({ name: 'Escrow' }));
const hash = ScSpecTypeDef.scSpecTypeBytesN(new xdr.ScSpecTypeBytesN({ n: 32 }));
const values = ScSpecTypeDef.scSpecTypeVec(new xdr.ScSpecTypeVec({ elementType: ScSpecTypeDef.scSpecTypeVal() }));
const [address, u32, i128] = [ScSpecTypeDef.scSpecTypeAddress(), ScSpecTypeDef.scSpecTypeU32(), ScSpecTypeDef.scSpecTypeI128()];
const [string, symbol] = [ScSpecTypeDef.scSpecTypeString(), ScSpecTypeDef.scSpecTypeSymbol()];
const optional = ScSpecTypeDef.scSpecTypeOption(new xdr.ScSpecTypeOption({ valueType: string }));
const amounts = ScSpecTypeDef.scSpecTypeMap(new xdr.ScSpecTypeMap({ keyType: address, valueType: i128 }));

type Spec = Readonly<Record<string, readonly (readonly [name: string, type: xdr.ScSpecTypeDef])[]>>;

/** The functions of the published single-release contract. */
const single: Spec = {
  tw_new_single_release_escrow: [
    ['signer', address],
    ['wasm_hash', hash],
    ['salt', hash],
    ['init_fn', symbol],
    ['init_args', values],
    ['constructor_args', values],
  ],
  fund_escrow: [
    ['signer', address],
    ['expected_escrow', udt],
    ['amount', i128],
  ],
  change_milestone_status: [
    ['milestone_index', u32],
    ['new_status', string],
    ['new_evidence', optional],
    ['service_provider', address],
  ],
  approve_milestone: [
    ['milestone_index', u32],
    ['approver', address],
  ],
  release_funds: [
    ['release_signer', address],
    ['trustless_work_address', address],
  ],
  dispute_escrow: [['signer', address]],
  resolve_dispute: [
    ['dispute_resolver', address],
    ['trustless_work_address', address],
    ['distributions', amounts],
  ],
  withdraw_remaining_funds: [
    ['dispute_resolver', address],
    ['trustless_work_address', address],
    ['distributions', amounts],
  ],
  get_escrow: [],
};

/** A module that contains only a spec. Its section is shorter than 16,384 bytes. */
function wasmOf(spec: Spec): Buffer {
  const entries = Object.entries(spec).map(([name, args]) => {
    const inputs = args.map(([argument, type]) => new xdr.ScSpecFunctionInputV0({ doc: '', name: argument, type }));
    return xdr.ScSpecEntry.scSpecEntryFunctionV0(new xdr.ScSpecFunctionV0({ doc: '', name, inputs, outputs: [] })).toXDR();
  });
  const section = Buffer.concat([Buffer.from('\u000econtractspecv0'), ...entries]);
  const length = Buffer.from([(section.length % 128) + 128, Math.floor(section.length / 128)]);
  return Buffer.concat([Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 0]), length, section]);
}

const version = networkOf('v1').versions['single-release'];
const mismatchOf = (changed: Spec) => specMismatch('single-release', version, wasmOf({ ...single, ...changed }));

describe('the code of a contract', () => {
  it('may have the functions of the version, and others', () => {
    expect(mismatchOf({})).toBeUndefined();
    expect(mismatchOf({ something_else: [['x', u32]] })).toBeUndefined();
  });

  it('without a function of the version is refused', () => {
    const { release_funds: _, ...rest } = single;
    expect(specMismatch('single-release', version, wasmOf(rest))).toBe('the function release_funds is missing');
  });

  it.each<readonly [string, Spec, string]>([
    [
      'another order of arguments',
      { approve_milestone: [...(single['approve_milestone'] ?? [])].reverse() },
      'approve_milestone takes (approver, milestone_index) instead of (milestone_index, approver)',
    ],
    [
      'an argument less',
      { release_funds: [['release_signer', address]] },
      'release_funds takes (release_signer) instead of (release_signer, trustless_work_address)',
    ],
    [
      'an argument more',
      {
        dispute_escrow: [
          ['signer', address],
          ['reason', string],
        ],
      },
      'dispute_escrow takes (signer, reason) instead of (signer)',
    ],
    [
      'another type of an argument',
      {
        approve_milestone: [
          ['milestone_index', i128],
          ['approver', address],
        ],
      },
      'milestone_index of approve_milestone is scSpecTypeI128',
    ],
  ])('with %s is refused', (_, changed, mismatch) => {
    expect(mismatchOf(changed)).toBe(mismatch);
  });

  it('of another version is refused', () => {
    const mainnet = networkOf('v1-mainnet').versions['single-release'];
    expect(specMismatch('single-release', mainnet, wasmOf(single))).toContain('release_funds takes');
    const multi = networkOf('v1').versions['multi-release'];
    expect(specMismatch('multi-release', multi, wasmOf(single))).toContain('tw_new_multi_release_escrow is missing');
  });
});
