import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { houseRules } from './tools/lint/rules.mjs';

const tests = ['**/*.test.ts', '**/testing/**/*.ts', 'e2e/src/**/*.ts'];
/** Pages for browsers are compiled with settings of their own. */
const pages = 'console/src/**/*.{ts,tsx}';
const programs = ['tools/**', 'bench/**', 'clients/cli/**'];
/** Rows and foreign payloads become our types here, and nowhere else. */
const parsing = [
  '**/store/**',
  '**/providers/**',
  'shared/{postgres,messaging,intents,contracts}/src/**',
  'shared/sagas/src/runs/**',
  'clients/sdk/src/**',
];
const readsEnvironment = ['**/src/config.ts', 'shared/process/src/config/**'];

/** The rules for a source tree; the proof of the rules plants its offenders in a separate tree. */
export function lintConfig(root) {
  return defineConfig(
    globalIgnores([
      '**/dist/',
      '**/coverage/',
      '.holdfast/',
      'docs/generated/',
      'bench/results/',
      'clients/sdk/src/generated/',
      'console/src/generated/',
      'clients/sdk/generator/node_modules/',
    ]),
    { linterOptions: { reportUnusedDisableDirectives: 'error' }, plugins: { holdfast: { rules: houseRules } } },
    typedConfig(root, { files: ['**/*.ts'], ignores: [pages], project: './tsconfig.json' }),
    typedConfig(root, { files: [pages], project: './console/tsconfig.json' }),
    { files: ['**/*.{mjs,cjs}'], rules: { ...sizeRules, 'holdfast/explain-disable': 'error' } },
    { files: parsing, rules: { 'holdfast/no-type-assertion': 'off' } },
    { files: readsEnvironment, rules: { 'holdfast/no-process-env': 'off' } },
    { files: programs, rules: { 'no-console': 'off' } },
    { files: tests, rules: testRules },
  );
}

function typedConfig(root, { project, ...matching }) {
  return {
    ...matching,
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project, tsconfigRootDir: root } },
    rules: { ...typedRules, ...sizeRules, ...houseRulesOn },
  };
}

const typedRules = {
  '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: false }],
  '@typescript-eslint/no-misused-promises': 'error',
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  '@typescript-eslint/strict-boolean-expressions': [
    'error',
    { allowString: false, allowNumber: false, allowNullableObject: false },
  ],
  '@typescript-eslint/only-throw-error': 'error',
  '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
  '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
  '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
  '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: 'only-allowed-literals' }],
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
  '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
  eqeqeq: 'error',
};

const sizeRules = {
  complexity: ['error', 10],
  'max-depth': ['error', 3],
  'max-params': ['error', 4],
  'max-lines': ['error', 300],
  'max-lines-per-function': ['error', 60],
};

const houseRulesOn = {
  'no-console': 'error',
  'holdfast/no-default-export': 'error',
  'holdfast/no-enum': 'error',
  'holdfast/no-class': 'error',
  'holdfast/no-process-env': 'error',
  'holdfast/no-ambient-time': 'error',
  'holdfast/no-ambient-randomness': 'error',
  'holdfast/no-float-parsing': 'error',
  'holdfast/no-type-assertion': 'error',
  'holdfast/explain-disable': 'error',
};

/** Tests look into unknown answers and play parts that have nothing to wait for. */
const testRules = {
  'holdfast/no-type-assertion': 'off',
  'max-lines-per-function': 'off',
  'holdfast/max-lines-per-test': ['error', 60],
  '@typescript-eslint/no-empty-function': 'off',
  '@typescript-eslint/require-await': 'off',
  '@typescript-eslint/no-unsafe-assignment': 'off',
  '@typescript-eslint/no-unsafe-member-access': 'off',
  '@typescript-eslint/no-unsafe-argument': 'off',
  '@typescript-eslint/no-unsafe-call': 'off',
  '@typescript-eslint/no-unsafe-return': 'off',
};

export default lintConfig(import.meta.dirname);
