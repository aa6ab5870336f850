export { Holdfast } from './holdfast.js';
export { HoldfastError, isHoldfastError } from './holdfast-error.js';
export { verify, webhooks } from './verify.js';
export type { CallOptions, HoldfastOptions } from './call-options.js';
export type { HoldfastErrorFields, SdkErrorCode } from './holdfast-error.js';
export type { EventGap, EventStream, StreamOptions } from './stream.js';
export type { WebhookHeaders } from './verify.js';
export type * from './generated/resources.js';
export type * from './generated/types.js';
