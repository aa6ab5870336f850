/** An answer, with what tests look at most. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly data?: unknown; readonly meta?: unknown; readonly error?: { readonly code: string } };
  // Tests know what they asked for.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each test reads the shape of the route it asks
  readonly data: any;
  readonly code: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
};

export async function answerOf(response: Response): Promise<Answer> {
  const body = (await response.json()) as Answer['body'] & { readonly error?: { readonly details?: Answer['details'] } };
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body,
    data: body.data,
    code: body.error?.code,
    details: body.error?.details ?? {},
  };
}
