import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { customCases, namedCases, type LintCase } from './lint-offenders.js';
import { plantTree, repository, runTool, type PlantedTree } from './planted-tree.js';

type Finding = { readonly ruleId: string | null; readonly message: string };
type Report = {
  readonly files: readonly { readonly filePath: string; readonly messages: readonly Finding[] }[];
  readonly rules: readonly string[];
};

const cases = [...customCases, ...namedCases];
const needlessDisable = 'services/orders/src/needless-disable.ts';
const configFile = pathToFileURL(path.join(repository, 'eslint.config.mjs')).href;

let tree: PlantedTree;
let findings: ReadonlyMap<string, readonly Finding[]>;
let rules: readonly string[];

beforeAll(async () => {
  const planted = Object.assign({}, ...cases.map((one) => ({ [offenderOf(one)]: one.offender, [cleanOf(one)]: one.clean })));
  const allowed = Object.fromEntries(
    cases.flatMap(({ allowedAt, offender }) => (allowedAt === undefined ? [] : [[allowedAt, offender]])),
  );
  const config = `import { lintConfig } from '${configFile}';\nexport default lintConfig(import.meta.dirname);\n`;
  const needless = { [needlessDisable]: 'export const one = 1; // eslint-disable-line no-console -- it once printed\n' };
  tree = await plantTree({ 'eslint.config.mjs': config, ...planted, ...allowed, ...needless });
  const program = fileURLToPath(new URL('./lint-tree.mjs', import.meta.url));
  const report: Report = JSON.parse(await runTool(tree, program, ['services', 'tools']));
  findings = new Map(report.files.map(({ filePath, messages }) => [filePath, messages]));
  ({ rules } = report);
});

afterAll(() => tree.remove());

describe('the lint rules', () => {
  it('of the house each have an offender', () => {
    const ofTheHouse = rules.filter((rule) => rule.startsWith('holdfast/'));
    expect(customCases.map(({ rule }) => rule).toSorted()).toEqual(ofTheHouse.toSorted());
  });

  it.each(cases)('catch by the name of $rule', (one) => {
    expect(findingsIn(offenderOf(one)).map(({ ruleId }) => ruleId)).toContain(one.rule);
  });

  it.each(cases)('leave the clean twin of $rule alone', (one) => {
    expect(findingsIn(cleanOf(one))).toEqual([]);
  });

  it.each(cases.filter(({ allowedAt }) => allowedAt !== undefined))(
    'allow what $rule forbids in its one place',
    ({ rule, allowedAt = '' }) => {
      expect(findingsIn(allowedAt).map(({ ruleId }) => ruleId)).not.toContain(rule);
    },
  );

  it('say when a disable comment is no longer needed', () => {
    expect(findingsIn(needlessDisable).map(({ message }) => message)).toEqual([expect.stringContaining('Unused eslint-disable')]);
  });
});

function findingsIn(file: string): readonly Finding[] {
  const found = findings.get(path.join(tree.folder, file));
  if (found === undefined) throw new Error(`${file} was not linted`);
  return found;
}

function offenderOf(one: LintCase): string {
  return fileOf(one, 'offender');
}

function cleanOf(one: LintCase): string {
  return fileOf(one, 'clean');
}

function fileOf({ rule, at = 'services/orders/src/use-cases' }: LintCase, part: string): string {
  const suffix = rule.endsWith('-test') ? '.test.ts' : '.ts';
  return `${at}/${rule.replaceAll(/[@/]/g, '-')}-${part}${suffix}`;
}
