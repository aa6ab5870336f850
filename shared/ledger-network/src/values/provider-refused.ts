/** The request was refused; a retry of the same request would be refused as well. */
export class ProviderRefused extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'ProviderRefused';
  }
}
