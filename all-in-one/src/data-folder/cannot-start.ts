/** A fault that the person who started the program can correct; the message says what is wrong and what to do. */
export class CannotStart extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'CannotStart';
  }
}

/** The code of a failed system call, or its text. */
export function reasonOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error) return String(error.code);
  return error instanceof Error ? error.message : String(error);
}
