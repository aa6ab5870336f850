export type LintCase = {
  readonly rule: string;
  /** Where both are planted; a file of a use case unless the rule is about a place. */
  readonly at?: string;
  readonly offender: string;
  /** The same intention, written as the rule wants it. */
  readonly clean: string;
  /** Where the offender itself is allowed. */
  readonly allowedAt?: string;
};

const lines = (count: number, line: string): string => `${line}\n`.repeat(count);
const promised = 'const send = (): Promise<void> => Promise.resolve();\n';

export const customCases: readonly LintCase[] = [
  {
    rule: 'holdfast/no-default-export',
    offender: 'export default 1;\n',
    clean: 'export const one = 1;\n',
  },
  {
    rule: 'holdfast/no-enum',
    offender: 'export enum Side { Buyer }\n',
    clean: "export const sides = ['BUYER'] as const;\n",
  },
  {
    rule: 'holdfast/no-class',
    offender: 'export class Poster { readonly size = 1; }\n',
    clean: 'export class PostingError extends Error {}\n',
  },
  {
    rule: 'holdfast/no-process-env',
    offender: "export const home = process.env['HOME'];\n",
    clean: 'export const home = (settings: { readonly home: string }): string => settings.home;\n',
    allowedAt: 'services/orders/src/config.ts',
  },
  {
    rule: 'holdfast/no-ambient-time',
    offender: 'export const began = Date.now();\nexport const at = new Date();\n',
    clean: 'export const began = (at: string): Date => new Date(at);\n',
  },
  {
    rule: 'holdfast/no-ambient-randomness',
    offender: 'export const jitter = Math.random();\n',
    clean: "import { randomInt } from 'node:crypto';\nexport const jitter = randomInt(100);\n",
  },
  {
    rule: 'holdfast/no-float-parsing',
    offender: "export const amount = parseFloat('1.10') + Number.parseFloat('2');\n",
    clean: "export const units = BigInt('11000000');\n",
  },
  {
    rule: 'holdfast/no-type-assertion',
    offender: 'export const name = (value: unknown): string => value as string;\n',
    clean: "export const name = (value: unknown): string => (typeof value === 'string' ? value : '');\n",
    allowedAt: 'services/orders/src/store/allowed.ts',
  },
  {
    rule: 'holdfast/explain-disable',
    offender: '/* eslint-disable */\nconsole.log(1);\n',
    clean: 'console.log(1); // eslint-disable-line no-console -- this is what the program is for\n',
  },
  {
    rule: 'holdfast/max-lines-per-test',
    at: 'services/orders/src/long',
    offender: `it('is long', () => {\n${lines(60, '  expect(1).toBe(1);')}});\n`,
    clean: `describe('a chapter', () => {\n${lines(60, "  it('is short', () => { expect(1).toBe(1); });")}});\n`,
  },
];

/** Rules of plugins that the style guide names, with its settings. */
export const namedCases: readonly LintCase[] = [
  {
    rule: '@typescript-eslint/no-floating-promises',
    offender: `${promised}export function go(): void { send(); void send(); }\n`,
    clean: `${promised}export async function go(): Promise<void> { await send(); }\n`,
  },
  {
    rule: '@typescript-eslint/no-misused-promises',
    offender: `${promised}export const all = (): void => [1].forEach(async () => { await send(); });\n`,
    clean: `${promised}export async function all(): Promise<void> { await Promise.all([1].map(async () => { await send(); })); }\n`,
  },
  {
    rule: '@typescript-eslint/switch-exhaustiveness-check',
    offender: "export function f(side: 'a' | 'b'): number { switch (side) { case 'a': return 1; } return 2; }\n",
    clean: "export function f(side: 'a' | 'b'): number { switch (side) { case 'a': return 1; case 'b': return 2; } }\n",
  },
  {
    rule: '@typescript-eslint/strict-boolean-expressions',
    offender: "export const label = (text: string): string => (text ? text : 'none');\n",
    clean: "export const label = (text: string): string => (text === '' ? 'none' : text);\n",
  },
  {
    rule: '@typescript-eslint/only-throw-error',
    offender: "export function fail(): never { throw 'no'; }\n",
    clean: "export function fail(): never { throw new Error('no'); }\n",
  },
  {
    rule: '@typescript-eslint/consistent-type-imports',
    offender: "import { Stats } from 'node:fs';\nexport type Size = Stats['size'];\n",
    clean: "import type { Stats } from 'node:fs';\nexport type Size = Stats['size'];\n",
  },
  {
    rule: '@typescript-eslint/consistent-type-definitions',
    offender: 'export interface Order { readonly id: string }\n',
    clean: 'export type Order = { readonly id: string };\n',
  },
  {
    rule: '@typescript-eslint/no-explicit-any',
    offender: 'export const size = (value: any): number => [value].length;\n',
    clean: 'export const size = (value: unknown): number => [value].length;\n',
  },
  {
    rule: '@typescript-eslint/no-non-null-assertion',
    offender: 'export const first = (list: readonly string[]): string => list[0]!;\n',
    clean: "export const first = (list: readonly string[]): string => list[0] ?? '';\n",
  },
  {
    rule: 'complexity',
    offender: `export function f(n: number): number {\n${lines(10, '  if (n > 1) return n;')}  return 0;\n}\n`,
    clean: `export function f(n: number): number {\n${lines(9, '  if (n > 1) return n;')}  return 0;\n}\n`,
  },
  {
    rule: 'max-depth',
    offender: 'export function f(n: number): void { if (n > 1) { if (n > 2) { if (n > 3) { while (n > 4) { break; } } } } }\n',
    clean: 'export function f(n: number): void { if (n > 1) { if (n > 2) { while (n > 3) { break; } } } }\n',
  },
  {
    rule: 'max-params',
    offender: 'export const sum = (a: number, b: number, c: number, d: number, e: number): number => a + b + c + d + e;\n',
    clean: 'export const sum = (a: number, b: number, c: number, d: number): number => a + b + c + d;\n',
  },
  {
    rule: 'max-lines',
    offender: `${lines(300, '// a line')}export const one = 1;\n`,
    clean: `${lines(299, '// a line')}export const one = 1;\n`,
  },
  {
    rule: 'max-lines-per-function',
    offender: `export function f(): void {\n${lines(59, '  f();')}}\n`,
    clean: `export function f(): void {\n${lines(58, '  f();')}}\n`,
  },
  {
    rule: 'no-console',
    offender: "console.log('hello');\n",
    clean: "export const greeting = 'hello';\n",
    allowedAt: 'tools/src/greet.ts',
  },
];
