import { createRequire } from 'node:module';
import path from 'node:path';
import { dependencyCases } from './dependency-offenders.js';
import { soundLinks, soundTree } from './dependency-tree.js';
import { plantTree, repository, runTool, type PlantedTree } from './planted-tree.js';

/** A cycle is reported once, with its other members beside it. */
type Violation = {
  readonly from: string;
  readonly rule: { readonly name: string };
  readonly cycle?: readonly { readonly name: string }[];
};
type Rules = { readonly forbidden: readonly { readonly name: string; readonly severity: string }[] };

const configFile = path.join(repository, '.dependency-cruiser.cjs');
const folders = ['shared', 'gateway', 'services', 'all-in-one', 'clients', 'console', 'e2e', 'bench', 'tools'];

let tree: PlantedTree;
let violations: readonly Violation[];

beforeAll(async () => {
  const planted = dependencyCases.flatMap(({ offender, clean }) => [offender, clean]);
  tree = await plantTree(Object.assign({}, soundTree, ...planted), soundLinks);
  const args = ['--config', configFile, '--output-type', 'json', ...folders];
  const report = JSON.parse(await runTool(tree, 'dependency-cruiser/bin/dependency-cruise.mjs', args));
  violations = report.summary.violations;
});

afterAll(() => tree.remove());

describe('the dependency rules', () => {
  it('each have an offender, and each is an error', () => {
    const { forbidden } = createRequire(configFile)(configFile) as Rules;
    expect(dependencyCases.map(({ rule }) => rule).sort()).toEqual(forbidden.map(({ name }) => name).sort());
    expect(forbidden.filter(({ severity }) => severity !== 'error')).toEqual([]);
  });

  it.each(dependencyCases)('catch by the name of $rule', ({ rule, offender }) => {
    const caught = violations.filter((violation) => violation.rule.name === rule).flatMap(filesOf);
    expect(caught).toEqual(expect.arrayContaining(Object.keys(offender)));
  });

  it('leave everything alone that was not planted as an offender', () => {
    const offenders = new Set(dependencyCases.flatMap(({ offender }) => Object.keys(offender)));
    expect(violations.filter(({ from }) => !offenders.has(from))).toEqual([]);
    expect(dependencyCases.filter(({ clean }) => Object.keys(clean).length === 0)).toEqual([]);
  });
});

function filesOf({ from, cycle = [] }: Violation): readonly string[] {
  return [from, ...cycle.map(({ name }) => name)];
}
