import type { Step } from '../../domain/steps.js';
import { addresses, channel, contractId, factory, networkOf, signingCases, termsOf, expectationOf } from './testing/parties.js';
import { expectDeployment, expectStep } from './expect-call.js';

const deployed = { terms: termsOf('multi-release'), contractId, payer: channel };

describe('the expectation of a step', () => {
  it.each([
    ['deploy', addresses.buyer],
    ['fund', channel],
    ['complete', addresses.seller],
    ['approve', addresses.buyer],
    ['release', addresses.buyer],
    ['dispute', addresses.buyer],
    ['resolve', addresses.platform],
    ['withdrawRemaining', addresses.platform],
  ])('%s names its signer', (operation, signer) => {
    const cases = signingCases.filter((each) => each.operation === operation);
    expect(new Set(cases.map((each) => expectationOf(each).signer))).toEqual(new Set([signer]));
  });

  it('of a deployment calls the factory, any other the contract', () => {
    expect(expectDeployment(networkOf('v1'), termsOf('single-release')).call.contract).toBe(factory);
    expect(expectStep(networkOf('v1'), deployed, { does: 'fund', units: 1n }).call.contract).toBe(contractId);
  });

  it.each(signingCases.filter(({ operation }) => operation !== 'fund'))(
    'authorizes nothing beyond the call: $operation on $type $variant',
    (signingCase) => {
      expect(expectationOf(signingCase).authorizes).toEqual([]);
    },
  );

  it.each<Step>([{ does: 'release' }, { does: 'dispute' }, { does: 'resolve', distributions: [] }])(
    'is not made without a milestone on a multi-release contract: %j',
    (step) => {
      expect(() => expectStep(networkOf('v1'), deployed, step)).toThrow(/milestone/);
    },
  );

  it('is not made for two payments to one address', () => {
    const distributions = [
      { to: 'seller', units: 1n },
      { to: 'seller', units: 2n },
    ] as const;
    const step = { does: 'resolve', index: 0, distributions } as const;
    expect(() => expectStep(networkOf('v1'), deployed, step)).toThrow('a resolution pays each address once');
  });
});

describe('the functions of a contract version', () => {
  const argumentsOf = (type: 'single-release' | 'multi-release', variant: 'v1' | 'v1-mainnet'): readonly string[] =>
    signingCases
      .filter((each) => each.type === type && each.variant === variant)
      .map((each) => expectationOf(each).call)
      .map((call) => `${call.function}(${call.args.map(([name]) => name).join(', ')})`);

  const deployment = 'signer, wasm_hash, salt, init_fn, init_args, constructor_args';
  const common = [
    'fund_escrow(signer, expected_escrow, amount)',
    'change_milestone_status(milestone_index, new_status, new_evidence, service_provider)',
    'approve_milestone(milestone_index, approver)',
  ];

  it('single-v1, single-v1-mainnet', () => {
    expect(argumentsOf('single-release', 'v1')).toEqual([
      `tw_new_single_release_escrow(${deployment})`,
      ...common,
      'release_funds(release_signer, trustless_work_address)',
      'dispute_escrow(signer)',
      'resolve_dispute(dispute_resolver, trustless_work_address, distributions)',
      'withdraw_remaining_funds(dispute_resolver, trustless_work_address, distributions)',
    ]);
    expect(argumentsOf('single-release', 'v1-mainnet')).toEqual([
      `tw_new_single_release_escrow(${deployment})`,
      ...common,
      'release_funds(release_signer)',
      'dispute_escrow(signer)',
      'resolve_dispute(dispute_resolver, distributions)',
      'withdraw_remaining_funds(dispute_resolver, distributions)',
    ]);
  });

  it('multi-v1, multi-v1-mainnet', () => {
    expect(argumentsOf('multi-release', 'v1')).toEqual([
      `tw_new_multi_release_escrow(${deployment})`,
      ...common,
      'release_milestone_funds(release_signer, trustless_work_address, milestone_index)',
      'dispute_milestone(milestone_index, signer)',
      'resolve_milestone_dispute(dispute_resolver, milestone_index, trustless_work_address, distributions)',
      'withdraw_remaining_funds(dispute_resolver, trustless_work_address, distributions)',
    ]);
    expect(argumentsOf('multi-release', 'v1-mainnet')).toEqual([
      `tw_new_multi_release_escrow(${deployment})`,
      ...common,
      'release_milestone_funds(release_signer, milestone_index)',
      'dispute_milestone(milestone_index, signer)',
      'resolve_milestone_dispute(dispute_resolver, milestone_index, distributions)',
      'withdraw_remaining_funds(dispute_resolver, distributions)',
    ]);
  });
});
