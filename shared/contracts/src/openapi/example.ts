import { referredName, type DescribedSchema, type JsonSchema } from './schema.js';

/** Thrown for a schema that has no example and from which none can be generated. */
export class MissingExampleError extends Error {
  constructor(where: string) {
    super(`${where} needs an example: add .meta({ example }) to its schema`);
    this.name = 'MissingExampleError';
  }
}

/** The declared example of a schema, or one generated from the examples of its parts. */
export function exampleOf({ schema, named }: DescribedSchema, where: string): unknown {
  return sample(schema, { named, where });
}

type Place = { readonly named: DescribedSchema['named']; readonly where: string };

function sample(schema: JsonSchema, place: Place): unknown {
  const given = givenExample(schema);
  if (given !== undefined) return given.value;
  const name = referredName(schema);
  if (name !== undefined) return sample(named(name, place), place);
  const alternative = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (alternative !== undefined) return sample(alternative, place);
  return sampleOfType(schema, place);
}

function givenExample(schema: JsonSchema): { readonly value: unknown } | undefined {
  const values = [schema.examples?.[0], schema.const, schema.default, schema.enum?.[0]];
  const value = values.find((candidate) => candidate !== undefined);
  return value === undefined ? undefined : { value };
}

function named(name: string, { named: schemas, where }: Place): JsonSchema {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`${where} refers to ${name}, which is not described`);
  return schema;
}

function sampleOfType(schema: JsonSchema, place: Place): unknown {
  const types: readonly unknown[] = [schema.type].flat();
  if (types.includes('object')) return sampleOfObject(schema, place);
  if (types.includes('array')) return sampleOfArray(schema, place);
  if (types.includes('boolean')) return true;
  if (types.includes('integer') || types.includes('number')) return schema.minimum ?? 1;
  if (types.includes('null')) return null;
  throw new MissingExampleError(place.where);
}

/** Optional fields are included only if they have an example. */
function sampleOfObject(schema: JsonSchema, place: Place): unknown {
  const entries = Object.entries(schema.properties ?? {}).flatMap(([field, inner]): readonly [string, unknown][] => {
    if (typeof inner === 'boolean') return [];
    const isRequired = schema.required?.includes(field) === true;
    if (!isRequired && givenExample(inner) === undefined) return [];
    return [[field, sample(inner, { ...place, where: `${place.where}.${field}` })]];
  });
  return Object.fromEntries(entries);
}

function sampleOfArray({ items }: JsonSchema, place: Place): unknown {
  if (items === undefined || typeof items === 'boolean' || Array.isArray(items)) return [];
  return [sample(items, { ...place, where: `${place.where}[]` })];
}
