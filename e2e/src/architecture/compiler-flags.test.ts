import path from 'node:path';
import ts from 'typescript';
import { repository } from './planted-tree.js';

/** The flags of the style guide. `strict` stands for its whole family. */
const flags = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  isolatedModules: true,
  erasableSyntaxOnly: true,
  allowUnreachableCode: false,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
} as const satisfies ts.CompilerOptions;

const membersOfStrict = [
  'noImplicitAny',
  'strictNullChecks',
  'strictFunctionTypes',
  'strictBindCallApply',
  'strictPropertyInitialization',
  'noImplicitThis',
  'useUnknownInCatchVariables',
  'alwaysStrict',
] as const satisfies readonly (keyof ts.CompilerOptions)[];

describe('the root tsconfig', () => {
  const { options, fileNames } = parsedConfig('tsconfig.json');

  it.each(Object.entries(flags))('has %s as %s', (flag, value) => {
    expect(options[flag]).toBe(value);
  });

  it('takes no member of the strict family back', () => {
    expect(membersOfStrict.filter((flag) => options[flag] === false)).toEqual([]);
  });

  it('covers, together with the project of the console, the sources and tests of every workspace that has any', () => {
    const covered = new Set([...fileNames, ...parsedConfig('console/tsconfig.json').fileNames]);
    const withSources = ts.sys.readDirectory(
      repository,
      ['.ts', '.tsx'],
      ['**/node_modules', '**/dist', '.holdfast'],
      ['**/src/**/*.ts', '**/src/**/*.tsx'],
    );
    expect(withSources.filter((file) => !covered.has(file))).toEqual([]);
  });
});

describe('the tsconfig of the console', () => {
  it('has the flags of the root, but for its modules, which esbuild resolves', () => {
    const { options } = parsedConfig('console/tsconfig.json');
    const changed = Object.entries(flags).filter(([flag, value]) => options[flag] !== value);
    expect(changed.map(([flag]) => flag)).toEqual(['module']);
  });
});

function parsedConfig(name: string): ts.ParsedCommandLine {
  const file = path.join(repository, name);
  const { config, error } = ts.readConfigFile(file, ts.sys.readFile.bind(ts.sys));
  if (error !== undefined) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'));
  return ts.parseJsonConfigFileContent(config, ts.sys, path.dirname(file));
}
