import type { HttpMethod } from '../http/index.js';
import type { JsonObject, JsonSchema } from './schema.js';

type Reference = { readonly $ref: string };

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
};

export type MediaType = { readonly schema: JsonSchema; readonly examples: Readonly<Record<string, JsonObject>> };

export type Response = {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  /** By content type. */
  readonly content?: Readonly<Record<string, MediaType>>;
};

type Servers = readonly { readonly url: string }[];

export type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly servers?: Servers;
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: { readonly 'application/json': MediaType } };
  readonly responses: Readonly<Record<string, Response>>;
};

/** The operations of a path by method, and its servers, if they differ from the servers of the document. */
export type PathItem = Partial<Record<HttpMethod, Operation>> & { readonly servers?: Servers };

/** An event that the platform sends. */
export type Webhook = Required<Pick<Operation, 'operationId' | 'tags' | 'summary' | 'description' | 'requestBody'>>;

/** The parts of an OpenAPI 3.1 document that we use. */
export type OpenApiDocument = {
  readonly openapi: '3.1.0';
  readonly info: JsonObject;
  readonly servers: Servers;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<PathItem>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Webhook }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: Readonly<Record<string, JsonObject>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, JsonObject>>;
    readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
  };
};
