import { z } from 'zod';
import { toSnakeCase } from '@holdfast/contracts/shapes';
import { valueAt } from './describe-issues.js';

/**
 * Maps alternative spellings to field names: every field may be sent in camelCase, in snake_case or under its declared aliases.
 * Computed once per schema. `inner` has the spellings of nested objects.
 */
export type Spelling = {
  readonly aliases: ReadonlyMap<string, string>;
  /** Fields for which null is the same as leaving them out. */
  readonly optional: ReadonlySet<string>;
  readonly inner: ReadonlyMap<string, Spelling>;
};

export function spellingOf(schema: z.core.$ZodType): Spelling {
  const aliases = new Map<string, string>();
  const optional = new Set<string>();
  const inner = new Map<string, Spelling>();
  for (const [field, fieldSchema] of fieldsOf(schema)) {
    const names = [field, ...declaredAliases(fieldSchema)];
    const spellings = names.flatMap((name) => [name, toSnakeCase(name)]).filter((name) => name !== field);
    for (const spelling of spellings) aliases.set(spelling, field);
    if (isOptional(fieldSchema) && !isNullable(fieldSchema)) optional.add(field);
    const below = spellingOf(fieldSchema);
    if (below.aliases.size > 0 || below.optional.size > 0 || below.inner.size > 0) inner.set(field, below);
  }
  return { aliases, optional, inner };
}

/**
 * Renames fields to their declared names and leaves out optional fields that are null. A field that was sent in two spellings is
 * a fault; its first value is used. See ADR 0048.
 */
export function applySpelling(spelling: Spelling, given: unknown, faults: string[]): unknown {
  if (Array.isArray(given)) return given.map((item) => applySpelling(spelling, item, faults));
  if (typeof given !== 'object' || given === null || !needsRenaming(spelling, given)) return given;
  return renameFields(spelling, given, faults);
}

function renameFields(spelling: Spelling, given: object, faults: string[]): Readonly<Record<string, unknown>> {
  const renamed: Record<string, unknown> = {};
  const spelledAs = new Map<string, string>();
  for (const [key, value] of Object.entries(given)) {
    const field = spelling.aliases.get(key) ?? key;
    const earlier = spelledAs.get(field);
    if (earlier !== undefined) {
      faults.push(`${field} is given twice, as ${earlier} and as ${key}`);
      continue;
    }
    spelledAs.set(field, key);
    if (value === null && spelling.optional.has(field)) continue;
    const below = spelling.inner.get(field);
    renamed[field] = below === undefined ? value : applySpelling(below, value, faults);
  }
  return renamed;
}

type Names = {
  readonly spelling: Spelling;
  /** The name of a field that was not sent, as the reference shows it. */
  readonly documented: (field: string) => string;
};

/** The path of a declared field with the names under which the caller has sent its parts. */
export function writtenPath(names: Names, sent: unknown, path: readonly PropertyKey[]): readonly PropertyKey[] {
  const [field, ...rest] = path;
  if (field === undefined) return [];
  if (typeof field !== 'string') return [field, ...writtenPath(names, valueAt(sent, [field]), rest)];
  const { aliases, inner } = names.spelling;
  const keys = typeof sent === 'object' && sent !== null ? Object.keys(sent) : [];
  const key = keys.find((name) => (aliases.get(name) ?? name) === field) ?? names.documented(field);
  const spelling = inner.get(field) ?? noAliases;
  return [key, ...writtenPath({ ...names, spelling }, valueAt(sent, [key]), rest)];
}

const noAliases: Spelling = { aliases: new Map(), optional: new Set(), inner: new Map() };

/** Most requests use the declared names without null and need no copy. */
function needsRenaming(spelling: Spelling, given: object): boolean {
  return Object.entries(given).some(([key, value]) => value === null || spelling.aliases.has(key) || spelling.inner.has(key));
}

/** Whether the field may be left out, with or without a default. */
function isOptional(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodType && schema.safeParse(undefined).success;
}

/** Whether null has its own meaning, such as clearing a value. A field that makes null of another text has that text for it. */
function isNullable(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodPipe) return false;
  const wrapped = unwrapped(schema);
  return schema instanceof z.ZodNullable || (wrapped !== undefined && isNullable(wrapped));
}

/** Aliases that a contract declares for a field, as in `z.string().meta({ aliases: ['milestoneRef'] })`. */
function declaredAliases(schema: z.core.$ZodType): readonly string[] {
  const { aliases } = z.globalRegistry.get(schema) ?? {};
  const own = Array.isArray(aliases) ? aliases.filter((alias) => typeof alias === 'string') : [];
  const wrapped = unwrapped(schema);
  return wrapped === undefined ? own : [...own, ...declaredAliases(wrapped)];
}

/** The fields of an object, of the items of an array, or of all options of a union. Records have none. */
function fieldsOf(schema: z.core.$ZodType): readonly (readonly [string, z.core.$ZodType])[] {
  if (schema instanceof z.ZodObject) return Object.entries<z.core.$ZodType>(schema.shape);
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(fieldsOf);
  const wrapped = unwrapped(schema);
  return wrapped === undefined ? [] : fieldsOf(wrapped);
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return schema.unwrap();
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return schema.unwrap();
  if (schema instanceof z.ZodReadonly) return schema.unwrap();
  if (schema instanceof z.ZodPipe) return schema.in instanceof z.ZodTransform ? schema.out : schema.in;
  return undefined;
}
