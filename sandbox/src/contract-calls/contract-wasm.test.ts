import { contract } from '@stellar/stellar-sdk';
import { escrowTypes } from '../domain/escrow.js';
import { contractVersions } from './contract-versions.js';
import { contractWasm } from './contract-wasm.js';

const functionsIn = (spec: contract.Spec) =>
  Object.fromEntries(
    spec
      .funcs()
      .map((each) => [
        each.name().toString(),
        each.inputs().map((input) => `${input.name().toString()} ${input.type().switch().name.replace('scSpecType', '')}`),
      ]),
  );

const deployment = [
  'signer Address',
  'wasm_hash BytesN',
  'salt BytesN',
  'init_fn Symbol',
  'init_args Vec',
  'constructor_args Vec',
];

const common = {
  initialize_escrow: ['escrow_properties Udt'],
  fund_escrow: ['signer Address', 'expected_escrow Udt', 'amount I128'],
  change_milestone_status: ['milestone_index U32', 'new_status String', 'new_evidence Option', 'service_provider Address'],
  approve_milestone: ['milestone_index U32', 'approver Address'],
  update_escrow: ['platform Address', 'escrow_properties Udt'],
  extend_contract_ttl: ['platform Address', 'ledgers_to_extend U32'],
};

const fee = 'trustless_work_address Address';

/** A global of Node that its types leave out. */
declare const WebAssembly: { readonly validate: (code: Uint8Array) => boolean };

describe('the code of a contract', () => {
  it('is a valid module, and another one for each version and type', () => {
    const codes = contractVersions.flatMap((version) => escrowTypes.map((type) => contractWasm(version, type)));
    expect(codes.map((code) => WebAssembly.validate(new Uint8Array(code)))).toEqual([true, true, true, true]);
    expect(new Set(codes.map((code) => code.toString('hex'))).size).toBe(4);
  });

  it.each([
    ['v1', [fee]],
    ['v1-mainnet', []],
  ] as const)('has the functions of the version %s in its spec', (version, fees) => {
    expect(functionsIn(contract.Spec.fromWasm(contractWasm(version, 'single-release')))).toMatchObject({
      ...common,
      tw_new_single_release_escrow: deployment,
      release_funds: ['release_signer Address', ...fees],
      dispute_escrow: ['signer Address'],
      resolve_dispute: ['dispute_resolver Address', ...fees, 'distributions Map'],
      withdraw_remaining_funds: ['dispute_resolver Address', ...fees, 'distributions Map'],
    });
    expect(functionsIn(contract.Spec.fromWasm(contractWasm(version, 'multi-release')))).toMatchObject({
      ...common,
      tw_new_multi_release_escrow: deployment,
      release_milestone_funds: ['release_signer Address', ...fees, 'milestone_index U32'],
      dispute_milestone: ['milestone_index U32', 'signer Address'],
      resolve_milestone_dispute: ['dispute_resolver Address', 'milestone_index U32', ...fees, 'distributions Map'],
      withdraw_remaining_funds: ['dispute_resolver Address', ...fees, 'distributions Map'],
    });
  });

  it('has no function of the other type', () => {
    const single = functionsIn(contract.Spec.fromWasm(contractWasm('v1', 'single-release')));
    expect(Object.keys(single)).not.toContain('dispute_milestone');
    expect(Object.keys(single)).not.toContain('tw_new_multi_release_escrow');
  });
});
