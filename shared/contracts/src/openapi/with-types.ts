import type { z } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;
type SchemaOrBoolean = JsonSchema | boolean;

/**
 * The same schema with a `type` at every level, which readers such as Scalar require. A nullable T is `[T, 'null']`, a union of objects is
 * an object, and a schema that allows anything is `true`.
 */
export function withTypes(schema: JsonSchema): JsonSchema {
  const { properties, additionalProperties, items, anyOf, oneOf } = schema;
  return nameType({
    ...schema,
    ...(properties === undefined ? {} : { properties: mapValues(properties, withTypesInside) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: withTypesInside(additionalProperties) }),
    ...(items === undefined || Array.isArray(items) ? {} : { items: withTypesInside(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(withTypes) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(withTypes) }),
  });
}

export function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

function withTypesInside(schema: SchemaOrBoolean): SchemaOrBoolean {
  if (typeof schema === 'boolean') return schema;
  return Object.keys(schema).length === 0 ? true : withTypes(schema);
}

function nameType(schema: JsonSchema): JsonSchema {
  const alternatives = schema.anyOf ?? schema.oneOf ?? [];
  const [first, second, ...others] = alternatives;
  if (first === undefined) return schema;
  if (alternatives.every(({ type }) => type === 'object')) return { ...schema, type: 'object' };
  return second?.type === 'null' && others.length === 0 ? nullable(schema, first) : schema;
}

/** Named schemas are objects. */
function nullable({ anyOf, ...schema }: JsonSchema, inner: JsonSchema): JsonSchema {
  const types = { type: [inner.type ?? 'object', 'null'] } as Pick<JsonSchema, 'type'>;
  if (inner.$ref !== undefined) return { ...schema, ...types, ...(anyOf === undefined ? {} : { anyOf }) };
  return { ...inner, ...schema, ...types, ...(inner.enum === undefined ? {} : { enum: [...inner.enum, null] }) };
}
