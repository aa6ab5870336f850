import { referredName, type DescribedSchema, type JsonSchema } from '@holdfast/contracts/openapi';
import { code } from './markdown.js';

/** One row per field: name, type, whether it is always there, description. Fields of inner objects follow as `outer.inner`. */
export function fieldRows({ schema }: DescribedSchema): readonly (readonly string[])[] {
  return rowsOf(schema, '');
}

function rowsOf(schema: JsonSchema, prefix: string): readonly (readonly string[])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([field, inner]) => {
    if (typeof inner === 'boolean') return [];
    const name = `${prefix}${field}`;
    const isRequired = schema.required?.includes(field) === true;
    const row = [code(name), typeText(inner), isRequired ? 'yes' : 'no', inner.description ?? ''];
    return [row, ...rowsOf(inner, `${name}.`), ...rowsOf(itemsOf(inner), `${name}[].`)];
  });
}

function typeText(schema: JsonSchema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => code(String(value))).join(', ');
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeText).join(' or ');
  const name = referredName(schema);
  if (name !== undefined) return name;
  const types: readonly unknown[] = [schema.type ?? 'any'].flat();
  return types.map(String).join(' or ');
}

function itemsOf({ items }: JsonSchema): JsonSchema {
  return items === undefined || typeof items === 'boolean' || Array.isArray(items) ? {} : items;
}
