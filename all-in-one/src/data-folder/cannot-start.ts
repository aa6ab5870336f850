/** The message is for the person who started the program: it says what is in the way and what to do about it. */
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
